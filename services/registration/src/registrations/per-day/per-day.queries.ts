import type { EventScope } from '@event-api/contracts/internal/scope';
import type { RegistrationDays } from '@event-api/contracts/operator/registration-days';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

export interface Period {
  from: string;
  to: string;
  timezone: string;
}

type DayCount = RegistrationDays['days'][number];

// Each day reads only its part of `registration_by_time`, which has every column: no other index
// has this order. `d` is midnight of the day on the clock of the time zone.
const counts = statement<DayCount>(
  'registrations_per_day',
  `select to_char(d, 'YYYY-MM-DD') as day, x.registrations
   from generate_series($3::date::timestamp, $4::date::timestamp - '1 day'::interval, '1 day'::interval) d
   cross join lateral (
     select count(*)::int as registrations from (
       select from registration.registration r
       where r.business_unit_id = $1 and r.event_id = $2
         and r.registered_at >= (d at time zone $5::text)
         and r.registered_at < ((d + '1 day'::interval) at time zone $5::text)
         and r.status collate "C" in ('confirmed', 'cancelled')
       order by r.registered_at, r.id
     ) r
   ) x
   order by d`,
);

/**
 * The registrations of each day of the period that are confirmed or cancelled. A cancelled one
 * counts even if it was never confirmed.
 */
export const readDayCounts = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  { from, to, timezone }: Period,
): Promise<DayCount[]> => db.query(counts, [businessUnitId, eventId, from, to, timezone]);
