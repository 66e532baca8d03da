import { maxFound } from '@event-api/contracts/operator/persons';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Registration } from '../registrations/registration.entity.ts';

/** A business unit, and one of its events or null for all. */
export interface SearchScope {
  businessUnitId: string;
  eventId: string | null;
}

const columns = columnsOf(Registration, 'r', { only: ['id', 'eventId'] });

/** A registration that a search has found. */
export type FoundId = RowOf<typeof columns>;

// One index lookup per event of the unit: `attendee_email_unique`, then `registration_of_attendee`.
const byEmail = statement<FoundId>(
  'person_registrations',
  `select ${columns.sql} from registration.event_projection e
   cross join lateral (
     select a.id from registration.attendee a
     where a.event_id = e.id and a.normal_email = $3 and (a.business_unit_id = $1) is true
   ) a
   join registration.registration r on r.attendee_id = a.id
   where e.business_unit_id = $1 and ($2::text is null or e.id = $2)
   order by r.insertion_order desc limit $4`,
);

// `limit 1` makes the planner look up each registration by its id.
const byCode = statement<FoundId>(
  'person_registration_of_code',
  `with found as materialized (
     select id from registration.registration where checkin_code = $3
     union all
     select registration_id from registration.replaced_badge where checkin_code = $3
   )
   select ${columns.sql} from found cross join lateral (
     select * from registration.registration r where r.id = found.id limit 1
   ) r
   where r.business_unit_id = $1 and ($2::text is null or r.event_id = $2)`,
);

/**
 * The registrations of a normalized email, newest first, and one more than are shown if there are
 * more.
 */
export const findByEmail = (db: Db, { businessUnitId, eventId }: SearchScope, email: string) =>
  db.query(byEmail, [businessUnitId, eventId, email, maxFound + 1]);

/** The registration of a badge code, also of one that was replaced, or none. */
export const findByCode = (db: Db, { businessUnitId, eventId }: SearchScope, code: string) =>
  db.query(byCode, [businessUnitId, eventId, code]);
