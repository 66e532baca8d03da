import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { newestOfEvent } from '@event-api/platform/db/list';
import { recordReader } from '@event-api/platform/db/record';
import { statement } from '@event-api/platform/db/statement';
import { isOnAgendaSql } from '../program/agenda.ts';
import { Venue } from './venue.entity.ts';

export const venueColumns = columnsOf(Venue, 'v', { omit: ['businessUnitId', 'insertionOrder'] });
export type VenueRow = RowOf<typeof venueColumns>;

const select = `select ${venueColumns.sql} from onsite.venue v`;

/** Reads one venue. */
export const { find: findVenue, read: readVenue } = recordReader<VenueRow>({
  name: 'venue_by_id',
  select,
  alias: 'v',
});

const shareRow = statement<{ id: string }>(
  'venue_share',
  `select id from onsite.venue where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3 for share`,
);

/** Returns whether the event has this venue, and locks it, shared, until `tx` ends. */
export async function hasVenue(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  venueId: string,
): Promise<boolean> {
  return (await tx.query(shareRow, [businessUnitId, eventId, venueId])).length > 0;
}

/** Lists the venues of an event. Uses the index `venue_newest_first`. */
export const listNewestVenues = newestOfEvent<VenueRow>({
  name: 'venues',
  select,
  table: 'onsite.venue',
  alias: 'v',
});

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
