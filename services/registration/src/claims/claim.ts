import type { ReservationInput } from '@event-api/contracts/internal/seats';
import { eventRef } from '@event-api/platform/projections/require-event';
import { decideWithRefresh } from '../copies/freshness.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { reserveRequest, typesOf } from './request.ts';
import type { ReserveDecision, ReserveRefusal } from './rules.ts';

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
