import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/program';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import { unknownReferences } from '../errors.ts';
import { applyPatch } from '../program/rules.ts';
import { findMissingPerks } from '../projections/find-missing.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { findVenue, lockVenue, type VenueRow, writeVenue } from './queries.ts';

export interface ProgramDeps {
  db: Database;
  refresher: ProjectionRefresher;
}

type Create = z.output<typeof operations.createVenue.schema.body>;
type Update = z.output<typeof operations.updateVenue.schema.body>;

/** Makes a room. Errors: 404 for the event; 400 for a perk that is not the event's; 503. */
export async function createVenue(deps: ProgramDeps, input: Create): Promise<VenueRow> {
  await refreshEvent(deps, input);
  const id = newId('ven');
  const created = isRetry() && (await findVenue(deps.db, input, id));
  if (created) return created;
  await requirePerks(deps, input, input.perkIds);
  return deps.db.transaction((tx) => writeVenue(tx, input, id, input, true));
}

/** Changes a room; what the command leaves out stays. Errors: 404; 400 for an unknown perk; 503. Locks: the room. */
export async function updateVenue(
  deps: ProgramDeps,
  { venueId, ...input }: Update,
): Promise<VenueRow> {
  await refreshEvent(deps, input);
  await requirePerks(deps, input, input.perkIds ?? []);
  return deps.db.transaction(async (tx) => {
    const current = await lockVenue(tx, input, venueId);
    return writeVenue(tx, input, venueId, applyPatch(current, input), false);
  });
}

/** Errors: 400 with each field that names a perk which the event does not have; 503. */
export async function requirePerks(
  deps: ProgramDeps,
  scope: EventScope,
  perkIds: readonly string[],
): Promise<void> {
  const unknown = await findMissingPerks(deps, scope, perkIds);
  if (unknown.length > 0) throw unknownReferences(unknown);
}
