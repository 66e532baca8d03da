import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { isOnAgendaSql } from '../program/agenda.ts';
import { Session } from './session.entity.ts';

export const sessionColumns = columnsOf(Session, 's', {
  omit: ['businessUnitId', 'agendaVersion'],
});
export type SessionRow = RowOf<typeof sessionColumns>;

const select = `select ${sessionColumns.sql} from onsite.session s join onsite.event_projection e on e.id = s.event_id`;

/** Reads one session of the agenda. A session that a date move has cleared is a 404. */
export const { find: findSession, read: readSession } = recordReader<SessionRow>({
  name: 'session_by_id',
  select,
  alias: 's',
  where: isOnAgendaSql,
});

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
  `${select}
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

// The event was fetched from catalog just before, so its agenda version is never older than what the caller has seen.
const insert = statement<SessionRow>(
  'session_insert',
  `insert into onsite.session as s (business_unit_id, event_id, id, title, description, starts_at, ends_at, venue_id,
     perk_ids, agenda_version, version)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, e.agenda_version, ${initialVersionSql} from onsite.event_projection e
   where e.business_unit_id = $1 and e.id = $2 returning ${sessionColumns.sql}`,
);

/** Inserts a session with the agenda version of the projected event. Returns it. Errors: 404. */
export async function insertSession(
  tx: Tx,
  scope: EventScope,
  sessionId: string,
  fields: SessionFields,
): Promise<SessionRow> {
  const { businessUnitId, eventId } = scope;
  const { title, description, startsAt, endsAt, venueId, perkIds } = fields;
  const dates = [startsAt, endsAt];
  const values = [
    businessUnitId,
    eventId,
    sessionId,
    title,
    description,
    ...dates,
    venueId,
    perkIds,
  ];
  const [row] = await tx.query(insert, values);
  if (!row) throw notFound('event');
  return row;
}
