import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { initialVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';

/** A check-in with its place in the order of changes. */
export interface RosterCheckinRow {
  checkinId: string;
  version: number;
  registrationId: string;
  subjectType: SubjectType;
  subjectId: string;
  checkedInAt: Date;
  codeHash: string | null;
  undoneAt: Date | null;
}

// `checkin_changes`.
const changed = statement<
  { clock: number } & { [Key in keyof RosterCheckinRow]: RosterCheckinRow[Key] | null }
>(
  'roster_checkins',
  `select ${initialVersionSql} as clock, c.* from (select 1) one left join lateral (
     select c.id as "checkinId", c.version, c.registration_id as "registrationId", c.subject_type as "subjectType",
       c.subject_id as "subjectId", c.checked_in_at as "checkedInAt", c.code_hash as "codeHash", c.undone_at as "undoneAt"
     from onsite.checkin c
     where c.business_unit_id = $1 and c.event_id = $2 and (c.version, c.id) > ($3::bigint, $4::text)
       and ($5::text[] is null or c.subject_id = any($5))
     order by c.version, c.id limit $6
   ) c on true
   order by c.version, c."checkinId"`,
);

/**
 * Reads up to `limit` check-ins after a key, in the order of their versions, also undone ones, with
 * the version that a change at this moment gets. `doors` are the only ones; null for all.
 */
export async function readCheckinsAfter(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  { version, id, doors }: { version: number; id: string; doors: readonly string[] | null },
  limit: number,
): Promise<{ clock: number; rows: RosterCheckinRow[] }> {
  const rows = await db.query(changed, [businessUnitId, eventId, version, id, doors, limit]);
  const found = rows.filter(({ checkinId }) => checkinId !== null) as RosterCheckinRow[];
  return { clock: rows[0]?.clock ?? 0, rows: found };
}
