import type * as operations from '@event-api/contracts/operator/program';
import { newId } from '@event-api/platform/core/ids';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { recordCreated, recordDeleted, recordUpdated } from '../changes/record-changes.ts';
import { gateInUse } from '../errors.ts';
import type { ProgramDeps } from '../program/deps.ts';
import { changedFields, unique } from '../program/fields.ts';
import { requirePerks } from '../program/require-perks.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { detachVenue } from './detach.ts';
import { Venue } from './venue.entity.ts';
import { findSessionsOfVenue, findVenue, readVenue, type VenueRow } from './venues.queries.ts';
import { decideVenueDeletion } from './venues.rules.ts';

type Create = z.output<typeof operations.createVenue.schema.body>;
type Update = z.output<typeof operations.updateVenue.schema.body>;

/**
 * Creates a venue. Errors: 404 for the event; 400 for a perk that the event does not have; 503.
 * Reports: `venue.created`.
 */
export async function createVenue(deps: ProgramDeps, input: Create): Promise<VenueRow> {
  await refreshEvent(deps, input);
  const id = newId('ven');
  const created = isRetry() && (await findVenue(deps.db, input, id));
  if (created) return created;
  await requirePerks(deps, input, input.perkIds);
  return deps.db.transaction(async (tx) => {
    const venue = tx.em.create(Venue, { ...input, id, perkIds: unique(input.perkIds) });
    await tx.em.flush();
    writeChanges(tx, [recordCreated('venue', venue)]);
    return readVenue(tx, input, id);
  });
}

/**
 * Changes a venue; fields left out stay. A patch that changes nothing writes nothing. Errors: 404;
 * 400 for an unknown perk; 503. Locks: the venue. Reports: `venue.updated`.
 */
export async function updateVenue(
  deps: ProgramDeps,
  { venueId, ...input }: Update,
): Promise<VenueRow> {
  await refreshEvent(deps, input);
  await requirePerks(deps, input, input.perkIds ?? []);
  return deps.db.transaction(async (tx) => {
    const venue = await lockRecord(tx, Venue, input, venueId, 'venue');
    const changes = changedFields(venue, { ...input, perkIds: unique(input.perkIds) });
    if (Object.keys(changes).length > 0) {
      tx.em.assign(venue, changes);
      await tx.em.flush();
      writeChanges(tx, [recordUpdated('venue', venue)]);
    }
    return readVenue(tx, input, venueId);
  });
}

/**
 * Deletes a venue and returns it. Its sessions and booths stay, without a venue. Errors: 404; 412
 * `GATE_IN_USE` while sessions rely on its gate, unless `openGates` is true; 503. Locks: the venue.
 * A request that puts a session into the venue locks it, too, so its session is either found here
 * or rejected there. Reports: `venue.deleted`, and `session.updated` and `exhibitor.updated` for
 * those that were in the venue.
 */
export async function deleteVenue(
  deps: ProgramDeps,
  { venueId, openGates, ...scope }: z.output<typeof operations.deleteVenue.schema.body>,
): Promise<VenueRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const record = await lockRecord(tx, Venue, scope, venueId, 'venue');
    const venue = await readVenue(tx, scope, venueId);
    const sessionIds = await findSessionsOfVenue(tx, scope, venueId);
    const decision = decideVenueDeletion(venue, sessionIds, openGates);
    if (decision.outcome === 'gate_in_use') throw gateInUse(decision.sessionIds);
    await detachVenue(tx, scope, venueId);
    tx.em.remove(record);
    await tx.em.flush();
    writeChanges(tx, [recordDeleted('venue', record)]);
    return venue;
  });
}
