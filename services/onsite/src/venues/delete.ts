import type { EventScope } from '@event-api/contracts/internal/scope';
import { refreshEvent } from '../copies/require-event.ts';
import { lockVenue, removeVenue, type VenueRow } from './queries.ts';
import type { ProgramDeps } from './write.ts';

/**
 * Deletes a room and answers what it was. Sessions and booths in it stay without one, so that its gate
 * no longer stands before those sessions. Errors: 404; 503. Locks: the room.
 */
export async function deleteVenue(
  deps: ProgramDeps,
  { venueId, ...scope }: EventScope & { venueId: string },
): Promise<VenueRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const venue = await lockVenue(tx, scope, venueId);
    await removeVenue(tx, scope, venueId);
    return venue;
  });
}
