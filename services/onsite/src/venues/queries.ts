import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { isOnAgendaSql } from '../program/agenda.ts';

/** A venue as the API returns it. */
export interface VenueRow {
  id: string;
  eventId: string;
  name: string;
  description: string | null;
  perkIds: string[];
  createdAt: Date;
}

const columns = `v.id, v.event_id as "eventId", v.name, v.description, v.perk_ids as "perkIds",
  v.created_at as "createdAt"`;

const byId = `select ${columns} from onsite.venue v
   where v.business_unit_id = $1 and v.event_id = $2 and v.id = $3`;

const venueById = statement<VenueRow>('venue_by_id', byId);

/** Returns a venue, or null. */
export async function findVenue(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
): Promise<VenueRow | null> {
  const [row] = await db.query(venueById, [businessUnitId, eventId, venueId]);
  return row ?? null;
}

/** Returns a venue. Errors: 404. */
export async function readVenue(db: Db, scope: EventScope, venueId: string): Promise<VenueRow> {
  const row = await findVenue(db, scope, venueId);
  if (!row) throw notFound();
  return row;
}

const lockRow = statement<VenueRow>('venue_lock', `${byId} for update`);

/** Locks and returns a venue. Errors: 404. */
export async function lockVenue(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
): Promise<VenueRow> {
  const [row] = await tx.query(lockRow, [businessUnitId, eventId, venueId]);
  if (!row) throw notFound('venue');
  return row;
}

const shareRow = statement<{ id: string }>(
  'venue_share',
  `select id from onsite.venue where business_unit_id = $1 and event_id = $2 and id = $3 for share`,
);

/** Returns whether the event has this venue, and locks it, shared, until `tx` ends. */
export async function hasVenue(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
): Promise<boolean> {
  return (await tx.query(shareRow, [businessUnitId, eventId, venueId])).length > 0;
}

// Newest first, by the index `venue_newest_first`.
const newestVenues = statement<VenueRow>(
  'newest_venues',
  `select ${columns} from onsite.venue v
   where v.business_unit_id = $1 and v.event_id = $2 and v.place < coalesce(
       (select k.place from onsite.venue k
        where k.business_unit_id = $1 and k.event_id = $2 and k.id = $3),
       case when $3::text is null then 9223372036854775807 else 0 end)
   order by v.place desc limit $4`,
);

/** Returns up to `limit` + 1 venues of an event that were created before the one with the id `afterId`. */
export const listNewestVenues = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  afterId: string | null,
  limit: number,
): Promise<VenueRow[]> => db.query(newestVenues, [businessUnitId, eventId, afterId, limit + 1]);

export interface VenueFields {
  name: string;
  description: string | null;
  perkIds: readonly string[];
}

const insert = statement<VenueRow>(
  'venue_insert',
  `insert into onsite.venue as v (business_unit_id, event_id, id, name, description, perk_ids)
   values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
);

const update = statement<VenueRow>(
  'venue_update',
  `update onsite.venue v set name = $4, description = $5, perk_ids = $6
   where v.business_unit_id = $1 and v.event_id = $2 and v.id = $3 returning ${columns}`,
);

/** Inserts a venue, or updates one that `tx` has locked. */
export async function writeVenue(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
  { name, description, perkIds }: VenueFields,
  isNew: boolean,
): Promise<VenueRow> {
  const values = [businessUnitId, eventId, venueId, name, description, [...new Set(perkIds)]];
  const [row] = await tx.query(isNew ? insert : update, values);
  if (!row) throw notFound('venue');
  return row;
}

const sessionsOfVenue = statement<{ id: string }>(
  'sessions_of_venue',
  `select s.id from onsite.session s join onsite.event_projection e on e.id = s.event_id
   where s.business_unit_id = $1 and s.event_id = $2 and s.venue_id = $3 and ${isOnAgendaSql}
   order by s.starts_at, s.id limit 10`,
);

/** Returns the first ten sessions of the agenda in a venue. */
export async function findSessionsOfVenue(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
): Promise<string[]> {
  const rows = await db.query(sessionsOfVenue, [businessUnitId, eventId, venueId]);
  return rows.map(({ id }) => id);
}

const leaveSessions = statement(
  'venue_leave_sessions',
  `update onsite.session set venue_id = null
   where business_unit_id = $1 and event_id = $2 and venue_id = $3`,
);

const leaveBooths = statement(
  'venue_leave_booths',
  `update onsite.booth set venue_id = null
   where business_unit_id = $1 and event_id = $2 and venue_id = $3`,
);

const remove = statement(
  'venue_delete',
  'delete from onsite.venue where business_unit_id = $1 and event_id = $2 and id = $3',
);

/** Deletes a venue that `tx` has locked. Its sessions and booths stay, without a venue. */
export async function removeVenue(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
): Promise<void> {
  const values = [businessUnitId, eventId, venueId];
  await tx.query(leaveSessions, values);
  await tx.query(leaveBooths, values);
  await tx.query(remove, values);
}
