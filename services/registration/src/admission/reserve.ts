import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import { eventRef } from '@event-api/platform/http/record-scope';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import type { ReserveDecision, ReserveRefusal } from '../reservations/rules.ts';
import type { RegistrationDeps } from './register.ts';
import { reserveRequest, typesOf } from './reserve-request.ts';

export interface ReservationDeps extends RegistrationDeps {
  /** How long seats are set aside. */
  reservationMs: number;
}

const projectionDependentReasons: readonly ReserveRefusal['reason'][] = [
  'NOT_FOUND',
  'EVENT_ARCHIVED',
  'NOT_ON_SALE',
  'SOLD_OUT',
];

/**
 * Sets the seats of an order aside, all of them or none; a claim that is known answers as it did.
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
    decide: () => admission.submit<'claim'>(scope, { kind: 'claim', input }),
    dependsOnProjections: ({ result }) =>
      result.outcome === 'refused' && projectionDependentReasons.includes(result.reason),
  });
  return result;
}
