import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/program';
import { notFound, referenceNotFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { recordCreated, recordDeleted, recordUpdated } from '../changes/record-changes.ts';
import { endsTooEarly, outsideEvent } from '../errors.ts';
import type { ProgramDeps } from '../program/deps.ts';
import { changedFields, unique } from '../program/fields.ts';
import { requirePerks } from '../program/require-perks.ts';
import type { EventDates } from '../projections/projections.queries.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { hasVenue } from '../venues/venues.queries.ts';
import { Session } from './session.entity.ts';
import { findSession, insertSession, readSession, type SessionRow } from './sessions.queries.ts';
import { decideSessionDates, setsDates } from './sessions.rules.ts';

type Create = z.output<typeof operations.createSession.schema.body>;
type Update = z.output<typeof operations.updateSession.schema.body>;

/**
 * Adds a session to the agenda. The event is fetched from catalog first, so that a date move before this request does
 * not clear the session. Errors: 404 for the event; 400 for a venue or perk of another event, and for dates outside
 * the event; 503 when catalog is unavailable. Locks: the venue, shared. Reports: `session.created`.
 */
export async function createSession(deps: ProgramDeps, input: Create): Promise<SessionRow> {
  const event = await refreshEvent(deps, input);
  const id = newId('ses');
  const created = isRetry() && (await findSession(deps.db, input, id));
  if (created) return created;
  requireDates(input, event);
  await requirePerks(deps, input, input.perkIds);
  return deps.db.transaction(async (tx) => {
    await requireVenue(tx, input, input.venueId);
    const fields = { ...input, perkIds: unique(input.perkIds) };
    const session = await insertSession(tx, input, id, fields);
    writeChanges(tx, [recordCreated('session', { ...input, id, version: session.version })]);
    return session;
  });
}

/**
 * Changes a session; fields left out stay. Its dates are validated only if one of them is sent, so that a session of an
 * event that was shortened can still be renamed. A patch that changes nothing writes nothing. Errors: as for creating one.
 * Locks: its new venue, shared, then the session. Reports: `session.updated`.
 */
export async function updateSession(
  deps: ProgramDeps,
  { sessionId, ...input }: Update,
): Promise<SessionRow> {
  const event = await refreshEvent(deps, input);
  await requirePerks(deps, input, input.perkIds ?? []);
  return deps.db.transaction(async (tx) => {
    // The venue is locked before the session, in the order in which deleting the venue locks them.
    await requireVenue(tx, input, input.venueId ?? null);
    const session = await lockSession(tx, input, sessionId);
    const changes = changedFields(session, { ...input, perkIds: unique(input.perkIds) });
    tx.em.assign(session, changes);
    if (setsDates(input)) requireDates(session, event);
    if (Object.keys(changes).length > 0) {
      await tx.em.flush();
      writeChanges(tx, [recordUpdated('session', session)]);
    }
    return readSession(tx, input, sessionId);
  });
}

/** Checks the dates of a session. Errors: 400 when they are not valid for its event. */
function requireDates(session: { startsAt: Date; endsAt: Date }, event: EventDates): void {
  const decision = decideSessionDates(session, event);
  if (decision.outcome === 'ends_too_early') throw endsTooEarly();
  if (decision.outcome !== 'valid') throw outsideEvent(decision);
}

/**
 * Locks the venue of a session, shared, until `tx` ends. Errors: 404 when the event has no such
 * venue.
 */
async function requireVenue(tx: Tx, scope: EventScope, venueId: string | null): Promise<void> {
  if (venueId === null || (await hasVenue(tx, scope, venueId))) return;
  throw referenceNotFound('venueId');
}

/**
 * Deletes a session and returns it; its check-ins stay. Errors: 404; 503. Locks: the session. Reports: `session.deleted`;
 * speakers without it follow from that.
 */
export async function deleteSession(
  deps: ProgramDeps,
  { sessionId, ...scope }: EventScope & { sessionId: string },
): Promise<SessionRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const record = await lockSession(tx, scope, sessionId);
    const session = await readSession(tx, scope, sessionId);
    tx.em.remove(record);
    await tx.em.flush();
    writeChanges(tx, [recordDeleted('session', record)]);
    return session;
  });
}

/** Locks and returns a session of the agenda. Errors: 404, also for a session that a date move has cleared. */
async function lockSession(tx: Tx, scope: EventScope, sessionId: string): Promise<Session> {
  const session = await lockRecord(tx, Session, scope, sessionId, 'session');
  if ((await findSession(tx, scope, sessionId)) === null) throw notFound('session');
  return session;
}
