import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { isOnAgendaSql } from '../program/agenda.ts';

/** A session as the API returns it. */
export interface SessionRow {
  id: string;
  eventId: string;
  title: string;
  description: string | null;
  startsAt: Date;
  endsAt: Date;
  venueId: string | null;
  perkIds: string[];
  createdAt: Date;
}

const columns = `s.id, s.event_id as "eventId", s.title, s.description, s.starts_at as "startsAt",
  s.ends_at as "endsAt", s.venue_id as "venueId", s.perk_ids as "perkIds", s.created_at as "createdAt"`;

const sessionById = statement<SessionRow>(
  'session_by_id',
  `select ${columns} from onsite.session s join onsite.event_projection e on e.id = s.event_id
   where s.business_unit_id = $1 and s.event_id = $2 and s.id = $3 and ${isOnAgendaSql}`,
);

/** Returns a session of the agenda, or null. */
export async function findSession(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  sessionId: string,
): Promise<SessionRow | null> {
  const [row] = await db.query(sessionById, [businessUnitId, eventId, sessionId]);
  return row ?? null;
}

/** Returns a session of the agenda. Errors: 404, also for a session that a date move has cleared. */
export async function readSession(
  db: Db,
  scope: EventScope,
  sessionId: string,
): Promise<SessionRow> {
  const row = await findSession(db, scope, sessionId);
  if (!row) throw notFound();
  return row;
}

const lockRow = statement<SessionRow>(
  'session_lock',
  `select ${columns} from onsite.session s join onsite.event_projection e on e.id = s.event_id
   where s.business_unit_id = $1 and s.event_id = $2 and s.id = $3 and ${isOnAgendaSql} for update of s`,
);

/** Locks and returns a session of the agenda. Errors: 404, also for a session that a date move has cleared. */
export async function lockSession(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  sessionId: string,
): Promise<SessionRow> {
  const [row] = await tx.query(lockRow, [businessUnitId, eventId, sessionId]);
  if (!row) throw notFound('session');
  return row;
}

const sessionsByIds = statement<{ id: string }>(
  'sessions_by_ids',
  `select s.id from onsite.session s join onsite.event_projection e on e.id = s.event_id
   where s.business_unit_id = $1 and s.event_id = $2 and s.id = any($3) and ${isOnAgendaSql}`,
);

/** Returns those of these sessions that are on the agenda. */
export async function findSessions(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query(sessionsByIds, [businessUnitId, eventId, sessionIds]);
  return rows.map(({ id }) => id);
}

// By the index `session_in_time_order`. The id orders sessions that start at the same time.
const agenda = statement<SessionRow>(
  'agenda',
  `select ${columns} from onsite.session s join onsite.event_projection e on e.id = s.event_id
   where s.business_unit_id = $1 and s.event_id = $2 and ${isOnAgendaSql}
     and (s.starts_at, s.id) > (coalesce($3::timestamptz, '-infinity'), coalesce($4, ''))
   order by s.starts_at, s.id limit $5`,
);

/** Returns up to `limit` + 1 sessions of the agenda after the sort key `after`. */
export const listAgenda = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  after: readonly [startsAt: string, id: string] | null,
  limit: number,
): Promise<SessionRow[]> =>
  db.query(agenda, [businessUnitId, eventId, after?.[0] ?? null, after?.[1] ?? null, limit + 1]);

export interface SessionFields {
  title: string;
  description: string | null;
  startsAt: Date;
  endsAt: Date;
  venueId: string | null;
  perkIds: readonly string[];
}

const valuesOf = (
  { businessUnitId, eventId }: EventScope,
  sessionId: string,
  fields: SessionFields,
): unknown[] => {
  const { title, description, startsAt, endsAt, venueId, perkIds } = fields;
  return [
    businessUnitId,
    eventId,
    sessionId,
    title,
    description,
    startsAt,
    endsAt,
    venueId,
    [...new Set(perkIds)],
  ];
};

// The event was fetched from catalog just before, so its epoch is never older than what the caller has seen.
const insert = statement<SessionRow>(
  'session_insert',
  `insert into onsite.session as s (business_unit_id, event_id, id, title, description, starts_at, ends_at, venue_id,
     perk_ids, agenda_epoch)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, e.agenda_epoch from onsite.event_projection e
   where e.business_unit_id = $1 and e.id = $2 returning ${columns}`,
);

/** Inserts a session with the epoch of the projected event. Errors: 404. */
export async function insertSession(
  tx: Tx,
  scope: EventScope,
  sessionId: string,
  fields: SessionFields,
): Promise<SessionRow> {
  const [row] = await tx.query(insert, valuesOf(scope, sessionId, fields));
  if (!row) throw notFound('event');
  return row;
}

const update = statement<SessionRow>(
  'session_update',
  `update onsite.session s set title = $4, description = $5, starts_at = $6, ends_at = $7, venue_id = $8, perk_ids = $9
   where s.business_unit_id = $1 and s.event_id = $2 and s.id = $3 returning ${columns}`,
);

/** Updates a session that `tx` has locked. Errors: 404. */
export async function writeSession(
  tx: Tx,
  scope: EventScope,
  sessionId: string,
  fields: SessionFields,
): Promise<SessionRow> {
  const [row] = await tx.query(update, valuesOf(scope, sessionId, fields));
  if (!row) throw notFound('session');
  return row;
}

const remove = statement(
  'session_delete',
  'delete from onsite.session where business_unit_id = $1 and event_id = $2 and id = $3',
);

export const removeSession = async (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  sessionId: string,
): Promise<void> => void (await tx.query(remove, [businessUnitId, eventId, sessionId]));
