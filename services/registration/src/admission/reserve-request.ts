import { normalEmail } from '@event-api/contracts/http/fields';
import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import { codeKey } from '../redemption-codes/rules.ts';
import { createPerson } from '../registrations/person.ts';
import type { ReserveRequest } from '../reservations/rules.ts';

/** A claim as decisions look at it, with somebody on each seat. */
export function reserveRequest(body: ReservationInput, reservationMs: number): ReserveRequest {
  return {
    reservationId: body.claimId,
    buyerEmail: normalEmail(body.buyer.email),
    seats: body.seats.map(({ ticketTypeId, email, name, inBundle }) => ({
      ticketTypeId,
      inBundle,
      person: createPerson(body.businessUnitId, { email, name }),
    })),
    addonIds: body.addonIds,
    codeKey: body.redemptionCode === null ? null : codeKey(body.redemptionCode),
    isFree: body.isFree,
    reservationMs,
  };
}

/** The ticket types that a claim is about, each once. */
export const typesOf = (body: ReservationInput): string[] => [
  ...new Set(body.seats.map(({ ticketTypeId }) => ticketTypeId)),
];
