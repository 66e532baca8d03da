import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/program';
import type { Tx } from '@event-api/platform/db/database';
import { newId } from '@event-api/platform/ids';
import type { z } from 'zod';
import { refreshEvent } from '../copies/require-event.ts';
import { endsTooEarly, unknownReferences } from '../errors.ts';
import { patched } from '../program/rules.ts';
import { hasVenue } from '../venues/queries.ts';
import { type ProgramDeps, requirePerks } from '../venues/write.ts';
import { insertSession, lockSession, type SessionRow, writeSession } from './queries.ts';

type Create = z.output<typeof operations.createSession.schema.body>;
type Update = z.output<typeof operations.updateSession.schema.body>;

/**
 * Puts a session on the agenda as it is by catalog's word, so that a date move before this does not
 * clear it. Errors: 404 for the event; 400 for a room or perk that is not the event's and for one that
 * ends before it begins; 503 when catalog is away. Locks: its room, shared.
 */
export async function createSession(deps: ProgramDeps, input: Create): Promise<SessionRow> {
  await refreshEvent(deps, input);
  await requirePerks(deps, input, input.perkIds);
  return deps.db.transaction(async (tx) => {
    await requireVenue(tx, input, input.venueId);
    if (input.endsAt <= input.startsAt) throw endsTooEarly();
    return insertSession(tx, input, newId('ses'), input);
  });
}

/** Changes a session; what the command leaves out stays. Errors: as making one. Locks: its new room, shared, then the session. */
export async function updateSession(
  deps: ProgramDeps,
  { sessionId, ...input }: Update,
): Promise<SessionRow> {
  await refreshEvent(deps, input);
  await requirePerks(deps, input, input.perkIds ?? []);
  return deps.db.transaction(async (tx) => {
    // Before the session, as whoever deletes the room does.
    await requireVenue(tx, input, input.venueId ?? null);
    const merged = patched(await lockSession(tx, input, sessionId), input);
    if (merged.endsAt <= merged.startsAt) throw endsTooEarly();
    return writeSession(tx, input, sessionId, merged);
  });
}

/** Keeps a room that is named until `tx` ends. Errors: 400 when the event has no such room. */
async function requireVenue(tx: Tx, scope: EventScope, venueId: string | null): Promise<void> {
  if (venueId === null || (await hasVenue(tx, scope, venueId))) return;
  throw unknownReferences(['venueId']);
}
