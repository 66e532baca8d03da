import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ratedMinutes } from '@event-api/contracts/operator/checkin-rates';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/** The check-ins at a door in one minute. */
export interface MinuteCount {
  subjectType: SubjectType;
  subjectId: string;
  /** 0 for the minute that ends when it is counted. */
  minutesAgo: number;
  checkedIn: number;
}

// Each minute reads its check-ins by `checkin_by_time`: `is true` keeps other indexes out.
// PostgreSQL may sort the rows that it groups, and those of one minute are few. A check-in that the
// clock of the database dates after `$3` counts in the last minute.
const counts = statement<MinuteCount>(
  'checkins_per_minute',
  `select x.subject_type as "subjectType", x.subject_id as "subjectId", m as "minutesAgo", x.checked_in as "checkedIn"
   from generate_series(0::int, ${ratedMinutes - 1}::int) m
   cross join lateral (
     select c.subject_type, c.subject_id, count(*)::int as checked_in
     from onsite.checkin c
     where c.event_id = $2 and (c.business_unit_id = $1) is true and (c.undone_at is null) is true
       and c.checked_in_at >= $3::timestamptz - (m + 1) * '1 minute'::interval
       and c.checked_in_at < case m when 0 then 'infinity'::timestamptz else $3::timestamptz - m * '1 minute'::interval end
     group by c.subject_type, c.subject_id
   ) x
   order by x.subject_type, x.subject_id, m desc`,
);

/**
 * The check-ins of each door in each of the last 30 minutes before `until`, without undone ones.
 */
export const readMinuteCounts = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  until: Date,
): Promise<MinuteCount[]> => db.query(counts, [businessUnitId, eventId, until]);
