import type { fulfilReservation as fulfilOperation } from '@event-api/contracts/internal/reservations';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { z } from 'zod';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import type { AdmissionDeps } from './deps.ts';
import type { AdmissionResults } from './requests.ts';
import { addonsOf, orderRequest, typesOf } from './reserve.ts';

type Input = z.output<typeof fulfilOperation.schema.body>;

/**
 * Turns a reservation into registrations, once. A repeated call returns the same result. With
 * `reacquire`, an expired reservation is reserved again if its seats are available.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function fulfilReservation(
  deps: AdmissionDeps,
  body: Input,
): Promise<AdmissionResults['fulfil']> {
  const { admission, refresher } = deps;
  const { businessUnitId, eventId, reacquire, responses = null } = body;
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  const input = { ...orderRequest(body, responses), reacquire };
  const { result } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: typesOf(body),
    addonIds: addonsOf(body),
    decide: () => admission.submit<'fulfil'>(scope, { kind: 'fulfil', input }),
    // Projections decide whether seats and units are available again.
    dependsOnProjections: ({ result: { outcome } }) =>
      reacquire && outcome === 'unfulfillable' && body.seats.length + body.addonIds.length > 0,
  });
  return result;
}
