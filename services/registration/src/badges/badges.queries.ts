import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { ifPresent } from '@event-api/platform/db/list';
import { statement } from '@event-api/platform/db/statement';
import { Registration } from '../registrations/registration.entity.ts';

const columns = columnsOf(Registration, 'r', {
  only: ['id', 'eventId', 'checkinCode', 'status', 'version', 'name'],
});

/** The columns of a registration that a check-in needs. */
export interface BadgeRow extends RowOf<typeof columns> {
  registrationTypeId: string | null;
  /** The codes of its former badges. */
  replacedCheckinCodes: string[];
  /** The times of its ticket type. */
  admissionOpensAt: Date | null;
  admissionClosesAt: Date | null;
}

const select = `select ${columns.sql}, r.ticket_type_id as "registrationTypeId",
  t.admission_opens_at as "admissionOpensAt", t.admission_closes_at as "admissionClosesAt",
  array(select b.checkin_code from registration.replaced_badge b where b.registration_id = r.id) as "replacedCheckinCodes"`;

// `limit 1` makes the planner look up each ticket type by its id.
const withType = `left join lateral (
     select t.admission_opens_at, t.admission_closes_at from registration.ticket_type_projection t
     where t.id = r.ticket_type_id and (t.business_unit_id = r.business_unit_id) is true limit 1
   ) t on true`;

const badgeById = statement<BadgeRow>(
  'badge_by_id',
  `${select} from registration.registration r ${withType}
   where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = $3`,
);

// `limit 1` makes the planner look up each registration by its id.
const badgeByCode = statement<BadgeRow>(
  'badge_by_code',
  `with found as materialized (
     select id from registration.registration where checkin_code = $3
     union
     select registration_id from registration.replaced_badge where checkin_code = $3
   )
   ${select} from found cross join lateral (
     select * from registration.registration r where r.id = found.id limit 1
   ) r ${withType}
   where r.business_unit_id = $1 and r.event_id = $2`,
);

const badgesByIds = statement<BadgeRow>(
  'badges_by_ids',
  `${select} from registration.registration r ${withType}
   where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = any($3)`,
);

const badgesByCodes = statement<BadgeRow>(
  'badges_by_codes',
  `with found as materialized (
     select id from registration.registration where checkin_code = any($3)
     union
     select registration_id from registration.replaced_badge where checkin_code = any($3)
   )
   ${select} from found cross join lateral (
     select * from registration.registration r where r.id = found.id limit 1
   ) r ${withType}
   where r.business_unit_id = $1 and r.event_id = $2`,
);

/** The registrations with these ids, and those that have or had these badge codes, each once. */
export async function findBadges(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  { registrationIds, checkinCodes }: { registrationIds: string[]; checkinCodes: string[] },
): Promise<BadgeRow[]> {
  const [byIds, byCodes] = await Promise.all([
    db.query(badgesByIds, [businessUnitId, eventId, registrationIds]),
    db.query(badgesByCodes, [businessUnitId, eventId, checkinCodes]),
  ]);
  return [...new Map([...byIds, ...byCodes].map((row) => [row.id, row])).values()];
}

/** The registration with this id, or null. */
export async function findBadgeById(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<BadgeRow | null> {
  const [row] = await db.query(badgeById, [businessUnitId, eventId, registrationId]);
  return row ?? null;
}

/** The registration that has or had this badge code, or null. */
export async function findBadgeByCode(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  checkinCode: string,
): Promise<BadgeRow | null> {
  const [row] = await db.query(badgeByCode, [businessUnitId, eventId, checkinCode]);
  return row ?? null;
}

const shown = columnsOf(Registration, 'r', {
  only: ['name', 'status', 'checkinCode', 'ticketTypeId'],
});

/** What a badge shows of a registration. */
export interface BadgeContent extends RowOf<typeof shown> {
  /** Null while the projection does not have it. */
  eventName: string;
  ticketTypeName: string | null;
  company: string | null;
}

const contentColumns = `${shown.sql}, e.name as "eventName", t.name as "ticketTypeName",
  case when jsonb_typeof(r.responses -> 'company') = 'string' then r.responses ->> 'company' end as company`;

const contentFrom = `registration.registration r
   left join registration.event_projection e on e.id = r.event_id and e.business_unit_id = r.business_unit_id
   left join registration.ticket_type_projection t
     on t.id = r.ticket_type_id and t.business_unit_id = r.business_unit_id`;

const contentById = statement<BadgeContent>(
  'badge_content_by_id',
  `select ${contentColumns} from ${contentFrom}
   where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = $3`,
);

/** What the badge of a registration shows, or null. */
export async function findBadgeContent(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<BadgeContent | null> {
  const [row] = await db.query(contentById, [businessUnitId, eventId, registrationId]);
  return row ?? null;
}

/** A badge of a list, with its place. */
export type ListedBadge = BadgeContent & { number: number };

const listedColumns = `${contentColumns}, r.insertion_order as number`;
const isListed = `r.business_unit_id = $1 and r.event_id = $2 and r.status = 'confirmed' and r.insertion_order > $3`;

const badgesOfEvent = statement<ListedBadge>(
  'badges_of_event',
  // `registration_by_status`
  `select ${listedColumns} from ${contentFrom} where ${isListed} order by r.insertion_order limit $4`,
);

const badgesOfType = statement<ListedBadge>(
  'badges_of_type',
  // `registration_waiting`
  `select ${listedColumns} from ${contentFrom} where ${isListed} and r.ticket_type_id = $5
   order by r.insertion_order limit $4`,
);

const badgesOfIds = statement<ListedBadge>(
  'badges_of_ids',
  `select ${listedColumns} from ${contentFrom}
   where r.id = any($5) and (${isListed}) is true
     and ${ifPresent('$6::text', (type) => `r.ticket_type_id = ${type}`)}
   order by r.insertion_order limit $4`,
);

/**
 * Up to `limit` badges of the confirmed registrations of an event, of a ticket type, or of these
 * ids, in the order of creation after `after`.
 */
export function listBadges(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  {
    ticketTypeId,
    registrationIds,
    after,
    limit,
  }: {
    ticketTypeId: string | undefined;
    registrationIds?: readonly string[] | undefined;
    after: number;
    limit: number;
  },
): Promise<ListedBadge[]> {
  const values = [businessUnitId, eventId, after, limit];
  if (registrationIds !== undefined) {
    return db.query(badgesOfIds, [...values, registrationIds, ticketTypeId ?? null]);
  }
  return ticketTypeId === undefined
    ? db.query(badgesOfEvent, values)
    : db.query(badgesOfType, [...values, ticketTypeId]);
}
