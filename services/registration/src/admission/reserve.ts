import { normalEmail } from '@event-api/contracts/http/fields';
import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import { eventRef } from '@event-api/platform/http/record-scope';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { codeKey } from '../redemption-codes/redemption-codes.rules.ts';
import { createPerson } from '../registrations/person.ts';
import type {
  ReserveDecision,
  ReserveRefusal,
  ReserveRequest,
} from '../reservations/reservations.rules.ts';
import type { AdmissionDeps } from './deps.ts';

export interface ReservationDeps extends AdmissionDeps {
  /** How long seats are reserved. */
  reservationMs: number;
}

const projectionDependentReasons: readonly ReserveRefusal['reason'][] = [
  'NOT_FOUND',
  'EVENT_ARCHIVED',
  'NOT_ON_SALE',
  'SOLD_OUT',
];

/**
 * Reserves the seats of an order, all of them or none. A repeated call returns the existing
 * reservation.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function reserveSeats(
  deps: ReservationDeps,
  body: ReservationInput,
): Promise<ReserveDecision> {
  const { admission, refresher, reservationMs } = deps;
  const { businessUnitId, eventId } = body;
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  const input = reserveRequest(body, reservationMs);
  const { result } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: typesOf(body),
    decide: () => admission.submit<'reserve'>(scope, { kind: 'reserve', input }),
    dependsOnProjections: ({ result }) =>
      result.outcome === 'refused' && projectionDependentReasons.includes(result.reason),
  });
  return result;
}

/** The input of decisions: the request with a person for each seat. */
export function reserveRequest(body: ReservationInput, reservationMs: number): ReserveRequest {
  return {
    reservationId: body.reservationId,
    buyerEmail: normalEmail(body.buyer.email),
    seats: body.seats.map(({ ticketTypeId, email, name, inBundle }) => ({
      ticketTypeId,
      inBundle,
      person: createPerson(body.businessUnitId, { email, name }),
    })),
    addonIds: body.addonIds,
    addons: body.addons?.map(({ addonId, emails }) => ({
      addonId,
      emails: emails.map(normalEmail),
    })),
    codeKey: body.redemptionCode === null ? null : codeKey(body.redemptionCode),
    isFree: body.isFree,
    reservationMs,
  };
}

/** The distinct ticket types of a reservation. */
export const typesOf = (body: ReservationInput): string[] => [
  ...new Set(body.seats.map(({ ticketTypeId }) => ticketTypeId)),
];
