import type * as operations from '@event-api/contracts/operator/program';
import type { z } from 'zod';
import { gateInUse } from '../errors.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { findSessionsOfVenue } from '../sessions/queries.ts';
import type { ProgramDeps } from './commands.ts';
import { lockVenue, removeVenue, type VenueRow } from './queries.ts';
import { decideVenueDeletion } from './rules.ts';

/**
 * Deletes a venue and returns it. Its sessions and booths stay, without a venue. Errors: 404; 412 `GATE_IN_USE` while
 * sessions rely on its gate, unless `openGates` is true; 503. Locks: the venue. A request that puts a session into the
 * venue locks it, too, so its session is either found here or rejected there.
 */
export async function deleteVenue(
  deps: ProgramDeps,
  { venueId, openGates, ...scope }: z.output<typeof operations.deleteVenue.schema.body>,
): Promise<VenueRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const venue = await lockVenue(tx, scope, venueId);
    const sessionIds = await findSessionsOfVenue(tx, scope, venueId);
    const decision = decideVenueDeletion(venue, sessionIds, openGates);
    if (decision.outcome === 'gate_in_use') throw gateInUse(decision.sessionIds);
    await removeVenue(tx, scope, venueId);
    return venue;
  });
}
