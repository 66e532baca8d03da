import type { changeSeatTypes as changeOperation } from '@event-api/contracts/internal/reservations';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { z } from 'zod';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import type { AdmissionDeps } from './deps.ts';

type Input = z.output<typeof changeOperation.schema.body>;
type Result = z.input<(typeof changeOperation.schema.response)[200]>;

/**
 * Gives seats of a fulfilled order other ticket types, all of them or none, once: a repeated call
 * returns the first decision. The same batch gives the seats that they leave to the waitlists.
 *
 * Errors: 404 for an unknown event; 503. Emits: the seats and the registrations.
 */
export async function changeSeatTypes(
  { admission, refresher }: AdmissionDeps,
  { businessUnitId, eventId, ...change }: Input,
): Promise<Result> {
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  const { result } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: [...new Set(change.seats.map(({ ticketTypeId }) => ticketTypeId))],
    decide: ({ isRefreshed }) => {
      const input = { ...change, isFinal: isRefreshed && !change.again };
      return admission.submit<'change_types'>(scope, { kind: 'change_types', input });
    },
    dependsOnProjections: ({ result: { outcome } }) => outcome === 'refused',
  });
  if (result.outcome === 'unknown') return result;
  const { changes: _, ...decision } = result;
  return decision;
}
