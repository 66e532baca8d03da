import type { SubjectType } from '@event-api/contracts/http/checkins';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { RosterSource } from '@event-api/contracts/http/roster';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Gate } from '@event-api/rules/checkin-decision';
import { isOnAgendaSql } from '../../program/agenda.ts';
import { gatesOf } from '../checkins.queries.ts';
import { admissionOf } from '../event-at-door.queries.ts';

/** A badge with its place in the order of changes. */
export interface RosterRow {
  id: string;
  changedSeq: number;
  isRemoved: boolean;
  name: string | null;
  status: RegistrationStatus;
  checkinCode: string;
  replacedCheckinCodes: readonly string[];
  sourceIds: readonly string[];
  grantedPerkIds: readonly string[];
}

/**
 * The epoch of all rosters, and the checkpoint: every later change of a badge has a higher
 * sequence.
 */
export interface RosterState {
  epoch: string;
  checkpoint: number;
}

const stateSql = `select (select epoch::text from onsite.roster_epoch) as epoch,
    coalesce((select seq from onsite.projection_checkpoint where name = 'projections'), 0) as checkpoint`;

const page = statement<RosterState & { [Key in keyof RosterRow]: RosterRow[Key] | null }>(
  'roster_page',
  `select s.epoch, s.checkpoint, b.* from (${stateSql}) s left join lateral (
     (select r.id, r.changed_seq as "changedSeq", false as "isRemoved", r.name, r.status, r.checkin_code as "checkinCode",
        r.replaced_checkin_codes as "replacedCheckinCodes",
        array_remove(array[r.ticket_type_id] || r.addon_ids || r.redemption_code_id, null) as "sourceIds",
        r.granted_perk_ids as "grantedPerkIds"
      from onsite.registration_projection r
      where r.business_unit_id = $1 and r.event_id = $2 and (r.changed_seq, r.id) > ($3::bigint, $4::text)
      order by r.changed_seq, r.id limit $5)
     union all
     (select d.id, d.changed_seq, true, null, null, null, null, null, null from onsite.removed_badge d
      where d.business_unit_id = $1 and d.event_id = $2 and (d.changed_seq, d.id) > ($3::bigint, $4::text)
        and not exists (select 1 from onsite.registration_projection r where r.business_unit_id = $1 and r.id = d.id)
      order by d.changed_seq, d.id limit $5)
     order by 2, 1 limit $5
   ) b on true
   order by b."changedSeq", b.id`,
);

/**
 * Reads up to `limit` badges after a key, in the order of their last change, with the state at that
 * moment. If fewer than `limit` are returned, everything up to the checkpoint has been read.
 */
export async function readBadgesAfter(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  after: { seq: number; id: string },
  limit: number,
): Promise<RosterState & { rows: RosterRow[] }> {
  const rows = await db.query(page, [businessUnitId, eventId, after.seq, after.id, limit]);
  const { epoch = '', checkpoint = 0 } = rows[0] ?? {};
  return { epoch, checkpoint, rows: rows.filter(({ id }) => id !== null) as RosterRow[] };
}

// By the primary key; `is true` keeps the index of an event's badges out.
const changes = statement<RosterState & { id: string | null; changedSeq: number | null }>(
  'roster_changes_of_badges',
  `select s.epoch, s.checkpoint, r.id, r.changed_seq as "changedSeq" from (${stateSql}) s
   left join onsite.registration_projection r on (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = any($3)`,
);

/** Reads when these badges changed last. */
export async function readLastChanges(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationIds: readonly string[],
): Promise<{ epoch: string; changedSeqs: ReadonlyMap<string, number> }> {
  const rows = await db.query(changes, [businessUnitId, eventId, registrationIds]);
  const changedSeqs = new Map(rows.map(({ id, changedSeq }) => [id ?? '', changedSeq ?? 0]));
  return { epoch: rows[0]?.epoch ?? '', changedSeqs };
}

interface SourceRow {
  id: string;
  perkIds: string[];
  opensAt: Date | null;
  closesAt: Date | null;
}

const delivering = (table: string) =>
  `select t.id, t.perk_ids, null, null from onsite.${table} t
   where t.business_unit_id = $1 and t.event_id = $2 and t.perk_ids <> '{}'`;

const sources = statement<SourceRow>(
  'roster_sources',
  `select t.id, t.perk_ids as "perkIds", t.admission_opens_at as "opensAt", t.admission_closes_at as "closesAt"
   from onsite.ticket_type_projection t where t.business_unit_id = $1 and t.event_id = $2
     and (t.perk_ids <> '{}' or t.admission_opens_at is not null or t.admission_closes_at is not null)
   union all ${['addon_projection', 'redemption_code_projection'].map(delivering).join(' union all ')}
   order by 1`,
);

/** Returns the records of an event that deliver perks or times of admission, in a fixed order. */
export async function readSources(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<RosterSource[]> {
  const rows = await db.query(sources, [businessUnitId, eventId]);
  return rows.map(({ id, perkIds, opensAt, closesAt }) => ({
    ...{ id, perkIds, ...admissionOf(opensAt, closesAt) },
  }));
}

interface DoorRow {
  subjectType: SubjectType;
  subjectId: string;
  name: string | null;
  own: string[];
  ofVenue: string[];
}

/** A door on the program with its gates. */
export interface DoorWithGates extends Pick<DoorRow, 'subjectType' | 'subjectId' | 'name'> {
  gates: readonly Gate[];
}

const doors = statement<DoorRow>(
  'roster_doors',
  `select 'event' as "subjectType", $2 as "subjectId", null as name, '{}'::text[] as own, '{}'::text[] as "ofVenue"
   union all
   select 'session', s.id, s.title, s.perk_ids, coalesce(v.perk_ids, '{}') from onsite.session s
   join onsite.event_projection e on e.id = s.event_id left join onsite.venue v on v.id = s.venue_id
   where s.business_unit_id = $1 and s.event_id = $2 and ${isOnAgendaSql}
   union all
   select 'venue', v.id, v.name, v.perk_ids, '{}' from onsite.venue v where v.business_unit_id = $1 and v.event_id = $2
   order by 1, 2`,
);

/** Returns the doors on the program of an event, in a fixed order. */
export async function readDoors(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<DoorWithGates[]> {
  const rows = await db.query(doors, [businessUnitId, eventId]);
  return rows.map(({ own, ofVenue, ...door }) => ({
    ...door,
    gates: gatesOf(door.subjectType, own, ofVenue),
  }));
}
