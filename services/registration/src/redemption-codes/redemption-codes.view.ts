import {
  type CodeLookup,
  type Discount,
  RedemptionCode,
} from '@event-api/contracts/http/redemption-codes';
import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import { viewOf } from '@event-api/platform/http/record-view';
import { discountedPrice } from '@event-api/rules/discounted-price';
import type { z } from 'zod';
import type { AvailabilityRow } from '../availability/availability.queries.ts';
import { availabilityView } from '../availability/availability.view.ts';
import { type CodeRow, codeColumns, type LookupRow } from './redemption-codes.queries.ts';

const storedView = viewOf(
  RedemptionCode.omit({ registrationTypeId: true, discount: true }),
  codeColumns,
);

/** A redemption code as the API returns it. */
export const codeView = (row: CodeRow): z.input<typeof RedemptionCode> => ({
  ...storedView(row),
  registrationTypeId: row.ticketTypeId,
  discount: discountOf(row),
});

const discountOf = ({ discountType: type, discountValue: value }: CodeRow): Discount | null =>
  type === null || value === null ? null : { type, value };

/**
 * What a code unlocks: its ticket type with the taken seats, and the price of a seat with the code.
 */
export function lookupView(
  row: LookupRow & { type: NonNullable<LookupRow['type']> },
  seats: AvailabilityRow,
  perks: EffectivePerk[],
): z.input<typeof CodeLookup> {
  const { createdAt, ...type } = row.type;
  return {
    code: row.code,
    registrationType: {
      id: row.ticketTypeId,
      eventId: row.eventId,
      ...type,
      opensAt: instant(type.opensAt),
      closesAt: instant(type.closesAt),
      admissionOpensAt: instant(type.admissionOpensAt),
      admissionClosesAt: instant(type.admissionClosesAt),
      counts: { confirmed: seats.confirmed, waitlisted: seats.waitlisted },
      availability: availabilityView(seats),
      createdAt: new Date(createdAt).toISOString(),
    },
    perks,
    priceAmount: type.priceAmount,
    discountedPriceAmount: discountedPrice(type.priceAmount, discountOf(row)),
    currency: row.currency,
    registrationId: row.ownRegistrationId,
  };
}

const instant = (text: string | null): string | null => text && new Date(text).toISOString();
