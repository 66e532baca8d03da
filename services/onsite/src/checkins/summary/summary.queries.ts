import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { isOnAgendaSql } from '../../program/agenda.ts';

/** A door with the number of its check-ins. */
export interface DoorCount {
  subjectType: SubjectType;
  subjectId: string;
  /** Null for the door of the event, and for a door that does not exist any more. */
  name: string | null;
  checkedIn: number;
  /** Of these, the check-ins that the server would have rejected. */
  overruled: number;
  /** Scans of badges that another device has let in. */
  contested: number;
  /** Scans that devices have refused. */
  refused: number;
  lastCheckinAt: Date | null;
}

// The doors of the program, and others with check-ins or scans.
const counts = statement<DoorCount>(
  'checkin_counts',
  `with counted as (
     select subject_type, subject_id, sum(checked_in)::int as checked_in, sum(overruled)::int as overruled,
       max(last_checkin_at) as last_checkin_at
     from onsite.checkin_count where business_unit_id = $1 and event_id = $2 group by subject_type, subject_id
   ), scanned as (
     select subject_type, subject_id, sum(contested)::int as contested, sum(refused)::int as refused
     from onsite.scan_count where business_unit_id = $1 and event_id = $2 group by subject_type, subject_id
   ), door as (
     select 'event' as subject_type, $2 as subject_id, null as name
     union all
     select 'venue', v.id, v.name from onsite.venue v where v.business_unit_id = $1 and v.event_id = $2
     union all
     select 'session', s.id, s.title from onsite.session s
     join onsite.event_projection e on e.id = s.event_id
     where s.business_unit_id = $1 and s.event_id = $2 and ${isOnAgendaSql}
   )
   select subject_type as "subjectType", subject_id as "subjectId", d.name, coalesce(c.checked_in, 0) as "checkedIn",
     coalesce(c.overruled, 0) as overruled, coalesce(n.contested, 0) as contested, coalesce(n.refused, 0) as refused,
     c.last_checkin_at as "lastCheckinAt"
   from door d full join counted c using (subject_type, subject_id) full join scanned n using (subject_type, subject_id)
   order by subject_type, subject_id`,
);

/** The doors of an event in a fixed order, with the number of their check-ins. */
export const readDoorCounts = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<DoorCount[]> => db.query(counts, [businessUnitId, eventId]);
