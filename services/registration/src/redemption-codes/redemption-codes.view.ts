import type {
  CodeLookup,
  Discount,
  RedemptionCode,
} from '@event-api/contracts/http/redemption-codes';
import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import { discountedPrice } from '@event-api/rules/discounted-price';
import type { z } from 'zod';
import type { CodeRow, LookupRow } from './redemption-codes.queries.ts';

/** A redemption code as the API returns it. */
export function codeView(row: CodeRow): z.input<typeof RedemptionCode> {
  return {
    id: row.id,
    eventId: row.eventId,
    registrationTypeId: row.ticketTypeId,
    code: row.code,
    label: row.label,
    maxUses: row.maxUses,
    uses: row.uses,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    status: row.status,
    discount: discountOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

const discountOf = ({ discountType: type, discountValue: value }: CodeRow): Discount | null =>
  type === null || value === null ? null : { type, value };

/**
 * What a code unlocks: its ticket type with the taken seats, and the price of a seat with the code.
 */
export function lookupView(
  row: LookupRow & { type: NonNullable<LookupRow['type']> },
  perks: EffectivePerk[],
): z.input<typeof CodeLookup> {
  const { confirmed, waitlisted, createdAt, ...type } = row.type;
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
      counts: { confirmed, waitlisted },
      createdAt: new Date(createdAt).toISOString(),
    },
    perks,
    priceAmount: type.priceAmount,
    discountedPriceAmount: discountedPrice(type.priceAmount, discountOf(row)),
    currency: row.currency,
  };
}

const instant = (text: string | null): string | null => text && new Date(text).toISOString();
