import type { ExhibitorStatus } from '@event-api/contracts/http/exhibitors';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/** An exhibitor as the API returns it. Members and booths are in the order in which they were added. */
export interface ExhibitorRow {
  id: string;
  eventId: string;
  name: string;
  description: string | null;
  website: string | null;
  status: ExhibitorStatus;
  members: { registrationId: string; role: string }[];
  booths: { id: string; number: string; type: string; venueId: string | null }[];
  createdAt: Date;
}

const columns = `x.id, x.event_id as "eventId", x.name, x.description, x.website, x.status,
  coalesce((select json_agg(json_build_object('registrationId', m.registration_id, 'role', m.role) order by m.place)
    from onsite.exhibitor_member m where m.exhibitor_id = x.id), '[]') as members,
  coalesce((select json_agg(json_build_object('id', b.id, 'number', b.number, 'type', b.type, 'venueId', b.venue_id)
      order by b.place)
    from onsite.booth b where b.exhibitor_id = x.id), '[]') as booths,
  x.created_at as "createdAt"`;

const exhibitorById = statement<ExhibitorRow>(
  'exhibitor_by_id',
  `select ${columns} from onsite.exhibitor x
   where x.business_unit_id = $1 and x.event_id = $2 and x.id = $3`,
);

/** Returns an exhibitor, or null. */
export async function findExhibitor(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  exhibitorId: string,
): Promise<ExhibitorRow | null> {
  const [row] = await db.query(exhibitorById, [businessUnitId, eventId, exhibitorId]);
  return row ?? null;
}

/** Returns an exhibitor. Errors: 404. */
export async function readExhibitor(
  db: Db,
  scope: EventScope,
  exhibitorId: string,
): Promise<ExhibitorRow> {
  const row = await findExhibitor(db, scope, exhibitorId);
  if (!row) throw notFound('exhibitor');
  return row;
}

const lockRow = statement<ExhibitorFields>(
  'exhibitor_lock',
  `select name, description, website, status from onsite.exhibitor
   where business_unit_id = $1 and event_id = $2 and id = $3 for update`,
);

export interface ExhibitorFields {
  name: string;
  description: string | null;
  website: string | null;
  status: ExhibitorStatus;
}

/** Locks an exhibitor and so its roster and booths, because every change of them takes this lock. Errors: 404. */
export async function lockExhibitor(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  exhibitorId: string,
): Promise<ExhibitorFields> {
  const [row] = await tx.query(lockRow, [businessUnitId, eventId, exhibitorId]);
  if (!row) throw notFound('exhibitor');
  return row;
}

// Newest first, by the index `exhibitor_newest_first`.
const newestExhibitors = statement<ExhibitorRow>(
  'newest_exhibitors',
  `select ${columns} from onsite.exhibitor x
   where x.business_unit_id = $1 and x.event_id = $2 and x.place < coalesce(
       (select k.place from onsite.exhibitor k
        where k.business_unit_id = $1 and k.event_id = $2 and k.id = $3),
       case when $3::text is null then 9223372036854775807 else 0 end)
   order by x.place desc limit $4`,
);

/** Returns up to `limit` + 1 exhibitors of an event that were created before the one with the id `afterId`. */
export const listNewestExhibitors = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  afterId: string | null,
  limit: number,
): Promise<ExhibitorRow[]> =>
  db.query(newestExhibitors, [businessUnitId, eventId, afterId, limit + 1]);

const exhibitorOfMember = statement<ExhibitorRow>(
  'exhibitor_of_member',
  `select ${columns} from onsite.exhibitor_member r join onsite.exhibitor x on x.id = r.exhibitor_id
   where x.business_unit_id = $1 and x.event_id = $2 and r.registration_id = $3`,
);

/** Returns the exhibitor that a registration staffs: one or none. */
export const findExhibitorOfMember = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<ExhibitorRow[]> =>
  db.query(exhibitorOfMember, [businessUnitId, eventId, registrationId]);

const insert = statement(
  'exhibitor_insert',
  `insert into onsite.exhibitor (business_unit_id, event_id, id, name, description, website, status)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

const update = statement(
  'exhibitor_update',
  `update onsite.exhibitor set name = $4, description = $5, website = $6, status = $7
   where business_unit_id = $1 and event_id = $2 and id = $3`,
);

/** Inserts an exhibitor, or updates one that `tx` has locked. */
export async function writeExhibitor(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  exhibitorId: string,
  { name, description, website, status }: ExhibitorFields,
  isNew: boolean,
): Promise<void> {
  const values = [businessUnitId, eventId, exhibitorId, name, description, website, status];
  await tx.query(isNew ? insert : update, values);
}
