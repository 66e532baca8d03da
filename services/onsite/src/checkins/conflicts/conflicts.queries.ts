import type { Actor } from '@event-api/contracts/actor';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { type CheckinRow, columns } from '../checkins.queries.ts';
import type { StoredResult } from '../offline/offline.queries.ts';

interface CheckinOfConflict extends CheckinRow {
  name: string | null;
  conflictId: string;
  recordedAt: Date;
}

/** A contested or overruled scan, with the check-in at its door. */
export interface ScanConflictRow extends CheckinOfConflict {
  kind: 'contested' | 'overruled';
  source: string;
  occurredAt: Date;
  result: StoredResult;
}

/** A check-in that was undone. */
export interface UndoneRow extends CheckinOfConflict {
  kind: 'undone';
  undoneBy: Actor;
  undoReason: string;
}

export type ConflictRow = ScanConflictRow | UndoneRow;

// Each half reads one page of its index; the page of both is the newest of these rows.
const conflicts = statement<ConflictRow>(
  'conflicts_newest',
  `select x.kind, x.id as "conflictId", x.at as "recordedAt", x.source, x.occurred_at as "occurredAt", x.result,
     c.undone_by as "undoneBy", c.undo_reason as "undoReason", r.name, ${columns}
   from (
     (select s.result ->> 'result' as kind, s.scan_id as id, s.created_at as at, s.source, s.occurred_at, s.result,
        s.result -> 'checkin' ->> 'id' as checkin_id
      from onsite.scan s
      where s.event_id = $2 and (s.business_unit_id = $1) is true
        and s.result ->> 'result' in ('contested', 'overruled')
        and (s.created_at, s.scan_id) < ($3::timestamptz, $4::text)
      order by s.created_at desc, s.scan_id desc limit $5)
     union all
     (select 'undone', u.id, u.undone_at, null, null, null, u.id
      from onsite.checkin u
      where u.event_id = $2 and (u.business_unit_id = $1) is true and u.undone_at is not null
        and (u.undone_at, u.id) < ($3::timestamptz, $4::text)
      order by u.undone_at desc, u.id desc limit $5)
   ) x
   cross join lateral (
     select * from onsite.checkin k where k.id = x.checkin_id and (k.business_unit_id = $1) is true
   ) c
   left join lateral (
     select p.name from onsite.registration_projection p
     where p.id = c.registration_id and (p.business_unit_id = $1) is true
   ) r on true
   order by x.at desc, x.id desc limit $5`,
);

/** The place in the list before the newest conflict. */
export const newest = ['infinity', ''] as const;

/**
 * Returns up to `limit` + 1 conflicts of an event that are older than this place in the list,
 * newest first.
 */
export const listNewestConflicts = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  [at, id]: readonly [at: string, id: string],
  limit: number,
): Promise<ConflictRow[]> => db.query(conflicts, [businessUnitId, eventId, at, id, limit + 1]);
