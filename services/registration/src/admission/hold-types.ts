import type { holdSeatTypes as holdOperation } from '@event-api/contracts/internal/reservations';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { z } from 'zod';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import type { ReservationDeps } from './reserve.ts';

type Input = z.output<typeof holdOperation.schema.body>;
type Result = z.input<(typeof holdOperation.schema.response)[200]>;

/**
 * Holds the seats of a change of ticket types until it is paid, all of them or none. A repeated call
 * returns the existing hold. `changeSeatTypes` takes it, `releaseReservation` under the id of the
 * change ends it, and so does its time: the batch that ends it gives its seats to the waitlists.
 *
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function holdSeatTypes(
  { admission, refresher, reservationMs }: ReservationDeps,
  { businessUnitId, eventId, ...change }: Input,
): Promise<Result> {
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  const input = { ...change, reservationMs };
  const { result } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: [...new Set(change.seats.map(({ ticketTypeId }) => ticketTypeId))],
    decide: () => admission.submit<'hold_types'>(scope, { kind: 'hold_types', input }),
    dependsOnProjections: ({ result: { outcome } }) => outcome === 'refused',
  });
  return result.outcome === 'held'
    ? { outcome: 'held', expiresAt: result.expiresAt.toISOString() }
    : result;
}
