import type { Checkin, SubjectType } from '@event-api/contracts/http/checkins';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type ListDefinition, listStatement, newestFirst } from '@event-api/platform/db/list';
import { recordReader } from '@event-api/platform/db/record';
import { statement } from '@event-api/platform/db/statement';
import type { Badge, Door, Gate } from '@event-api/rules/checkin-decision';
import type { z } from 'zod';
import { isOnAgendaSql } from '../program/agenda.ts';
import { codeHashOf, type PresentedBadge } from './code-hash.ts';
import {
  admissionOf,
  type EventAtDoorRow,
  eventAtDoor,
  eventAtDoorColumns,
  eventAtDoorFrom,
} from './event-at-door.queries.ts';

type View = z.output<typeof Checkin>;

/** A check-in as the API returns it. */
export interface CheckinRow
  extends Omit<View, 'checkedInAt' | 'scannedAt' | 'undoneAt' | 'badgeReplaced'> {
  checkedInAt: Date;
  scannedAt: Date | null;
  undoneAt: Date | null;
  /** The badge that was let in; null if it is not known. */
  codeHash: string | null;
  /** The codes of the former badges of the registration, as far as they are projected. */
  replacedCheckinCodes: string[];
}

const storedColumns = `c.id, c.event_id as "eventId", c.registration_id as "registrationId",
  c.subject_type as "subjectType", c.subject_id as "subjectId", c.method, c.checked_in_at as "checkedInAt",
  c.scanned_at as "scannedAt", c.device_id as "deviceId", c.overruled, c.undone_at as "undoneAt", c.code_hash as "codeHash"`;

/** The columns of a check-in `c`. */
export const columns = `${storedColumns},
  coalesce((select p.replaced_checkin_codes from onsite.registration_projection p
    where p.id = c.registration_id and (p.business_unit_id = c.business_unit_id) is true), '{}') as "replacedCheckinCodes"`;

/**
 * The columns of a check-in `c` that is just inserted. Its decision knows the badge better than the
 * projection.
 */
export const insertedColumns = `${storedColumns}, '{}'::text[] as "replacedCheckinCodes"`;

/** A badge that is presented at a door. */
export interface DoorLookup extends EventScope, PresentedBadge {
  subjectType: SubjectType;
  subjectId: string;
}

/** The projected badge, and the door with its event. */
export interface DoorLookupResult {
  badge: Badge | null;
  door: Door;
}

interface BadgeRow extends Omit<Badge, 'codeHash' | 'replacedCodeHashes' | 'admission'> {
  checkinCode: string;
  replacedCheckinCodes: string[];
  typeOpensAt: Date | null;
  typeClosesAt: Date | null;
}

interface DoorLookupRow extends BadgeRow, EventAtDoorRow {
  own: string[] | null;
  ofVenue: string[] | null;
}

// A perk source that is not projected yet contributes no perks. The rejection that follows is
// verified with registration. `is true` keeps the index of an event's badges out: it would read all
// of them.
const badgeWhere = (
  condition: string,
) => `select r.id, r.name, r.ticket_type_id, r.checkin_code, r.replaced_checkin_codes, r.status,
    t.admission_opens_at, t.admission_closes_at,
    r.granted_perk_ids || coalesce(t.perk_ids, '{}') || coalesce(k.perk_ids, '{}')
      || array(select unnest(a.perk_ids) from onsite.addon_projection a where a.id = any(r.addon_ids)) as perk_ids
  from onsite.registration_projection r
  left join onsite.ticket_type_projection t on t.id = r.ticket_type_id
  left join onsite.redemption_code_projection k on k.id = r.redemption_code_id
  where (r.business_unit_id = x.unit) is true and (r.event_id = x.event) is true and ${condition}`;

// `lateral` forces one index lookup per part of each input row, regardless of table sizes.
const doorLookups = statement<DoorLookupRow>(
  'doors_read',
  `select b.id, b.name, b.ticket_type_id as "registrationTypeId", b.checkin_code as "checkinCode",
     b.replaced_checkin_codes as "replacedCheckinCodes", b.status, b.perk_ids as "perkIds",
     b.admission_opens_at as "typeOpensAt", b.admission_closes_at as "typeClosesAt", d.own, d.of_venue as "ofVenue", e.*
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
     as x(unit, event, registration, code, subject_type, subject, turn)
   left join lateral (
     (${badgeWhere('r.id = x.registration')})
     union all
     (${badgeWhere('x.registration is null and r.checkin_code = x.code')})
     union all
     (${badgeWhere("x.registration is null and r.replaced_checkin_codes @> array[x.code] and r.replaced_checkin_codes <> '{}'")})
     limit 1
   ) b on true
   left join lateral (
     select '{}'::text[] as own, '{}'::text[] as of_venue
     where x.subject_type = 'event' and x.subject = x.event
     union all
     (select s.perk_ids, coalesce(v.perk_ids, '{}') from onsite.session s
      join onsite.event_projection e on e.id = s.event_id
      left join onsite.venue v on v.id = s.venue_id
      where x.subject_type = 'session' and (s.business_unit_id = x.unit) is true and (s.event_id = x.event) is true
        and s.id = x.subject and ${isOnAgendaSql})
     union all
     (select v.perk_ids, '{}' from onsite.venue v
      where x.subject_type = 'venue' and (v.business_unit_id = x.unit) is true and (v.event_id = x.event) is true
        and v.id = x.subject)
     limit 1
   ) d on true
   left join lateral (
     select ${eventAtDoorColumns} from ${eventAtDoorFrom}
     where (e.business_unit_id = x.unit) is true and e.id = x.event limit 1
   ) e on true
   order by x.turn`,
);

/**
 * Reads badges and doors in the order of the input. A badge is found by the registration's id, or
 * without one by its code, also by a replaced one.
 */
export async function loadDoors(
  db: Db,
  lookups: readonly DoorLookup[],
): Promise<DoorLookupResult[]> {
  const rows = await db.query(doorLookups, [
    lookups.map(({ businessUnitId }) => businessUnitId),
    lookups.map(({ eventId }) => eventId),
    lookups.map(({ registrationId }) => registrationId ?? null),
    lookups.map(({ checkinCode }) => checkinCode ?? null),
    lookups.map(({ subjectType }) => subjectType),
    lookups.map(({ subjectId }) => subjectId),
  ]);
  return rows.map((row, index) => {
    const { own, ofVenue } = row;
    const { subjectType = 'event' } = lookups[index] ?? {};
    return {
      badge: row.id ? badgeOf(row) : null,
      door: {
        gates: own && ofVenue && gatesOf(subjectType, own, ofVenue),
        event: eventAtDoor(row),
      },
    };
  });
}

const badgeOf = (row: BadgeRow): Badge => ({
  id: row.id,
  name: row.name,
  registrationTypeId: row.registrationTypeId,
  codeHash: codeHashOf(row.checkinCode),
  replacedCodeHashes: row.replacedCheckinCodes.map(codeHashOf),
  status: row.status,
  perkIds: row.perkIds,
  admission: admissionOf(row.typeOpensAt, row.typeClosesAt),
});

/** The gates that have perks: the others open for everyone. */
export const gatesOf = (
  of: SubjectType,
  own: readonly string[],
  ofVenue: readonly string[],
): Gate[] => [
  ...(own.length > 0 ? [{ of, perkIds: own }] : []),
  ...(ofVenue.length > 0 ? [{ of: 'venue' as const, perkIds: ofVenue }] : []),
];

/** A registration at a door. */
export interface CheckinKey extends EventScope {
  registrationId: string;
  subjectType: SubjectType;
  subjectId: string;
}

/** Identifies a registration at a door within its event. */
export const doorKey = (row: Omit<CheckinKey, keyof EventScope>): string =>
  `${row.registrationId} ${row.subjectType} ${row.subjectId}`;

const existingCheckins = statement<CheckinRow>(
  'checkins_earlier',
  `select ${columns} from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as x(unit, registration, type, subject)
   cross join lateral (
     select * from onsite.checkin c where (c.business_unit_id = x.unit) is true and c.registration_id = x.registration
       and c.subject_type = x.type and c.subject_id = x.subject and c.undone_at is null limit 1
   ) c`,
);

/**
 * Returns the existing check-ins of the same registrations at the same doors, without undone ones.
 */
export const findExistingCheckins = (
  db: Db,
  checkins: readonly CheckinKey[],
): Promise<CheckinRow[]> =>
  db.query(existingCheckins, [
    checkins.map(({ businessUnitId }) => businessUnitId),
    checkins.map(({ registrationId }) => registrationId),
    checkins.map(({ subjectType }) => subjectType),
    checkins.map(({ subjectId }) => subjectId),
  ]);

const checkinsOfPerson = statement<CheckinRow>(
  'checkins_of_person',
  `select ${columns} from onsite.checkin c where c.registration_id = any($2) and c.business_unit_id = $1
     and c.undone_at is null and ($3::text is null or c.subject_id = $3)
   order by c.insertion_order desc limit $4`,
);

/**
 * Returns up to `limit` check-ins of these registrations in any event of the unit, newest first,
 * without undone ones. With `subjectId`, only those at this door, which are at most one for each
 * registration.
 */
export const findCheckinsOf = (
  db: Db,
  filter: { businessUnitId: string; registrationIds: readonly string[]; subjectId?: string },
  limit: number,
): Promise<CheckinRow[]> => {
  const { businessUnitId, registrationIds, subjectId = null } = filter;
  return db.query(checkinsOfPerson, [businessUnitId, registrationIds, subjectId, limit]);
};

const select = `select ${columns} from onsite.checkin c`;

/** Reads one check-in, also an undone one. */
export const { find: findCheckin, read: readCheckin } = recordReader<CheckinRow>({
  name: 'checkin_by_id',
  select,
  alias: 'c',
});

const checkinsByIds = statement<CheckinRow>(
  'checkins_by_ids',
  `select ${columns} from unnest($1::text[], $2::text[]) as x(unit, id)
   join onsite.checkin c on (c.business_unit_id = x.unit) is true and c.id = x.id`,
);

/** Returns those of these check-ins that exist, also undone ones. */
export const findCheckinsByIds = (
  db: Db,
  checkins: readonly { businessUnitId: string; id: string }[],
): Promise<CheckinRow[]> =>
  db.query(checkinsByIds, [
    checkins.map(({ businessUnitId }) => businessUnitId),
    checkins.map(({ id }) => id),
  ]);

type Filter = 'subjectType' | 'subjectId' | 'registrationId';

export type CheckinFilter = { [Name in Filter]?: string | undefined };

const withUndone: ListDefinition<CheckinRow, Filter> = {
  name: 'checkins_and_undone',
  select,
  scope: ['c.business_unit_id = $1', 'c.event_id = $2'],
  filters: {
    registrationId: (value) => `c.registration_id = ${value}`,
    subjectId: (value) => `c.subject_id = ${value}`,
    subjectType: (value) => `c.subject_type = ${value}`,
  },
};

// Few check-ins are undone, so a page reads few rows more than it returns.
const list: typeof withUndone = {
  ...withUndone,
  name: 'checkins',
  scope: [...withUndone.scope, '(c.undone_at is null) is true'],
};

// The check-ins of one registration are few and are sorted: `checkin_of_registration`.
const order = newestFirst<Filter>('onsite.checkin', 'c', [
  { filters: ['registrationId'], scoped: false },
  { filters: ['subjectId'] },
  { filters: ['subjectType'] },
]);

/**
 * Returns up to `limit` + 1 check-ins that match every filter and were created before the one with
 * the id `afterId`. Undone ones are left out, unless `includesUndone`.
 */
export const listNewestCheckins = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  { includesUndone, ...filters }: CheckinFilter & { includesUndone: boolean },
  afterId: string | null,
  limit: number,
): Promise<CheckinRow[]> =>
  db.query(
    ...listStatement(includesUndone ? withUndone : list, order, {
      scope: [businessUnitId, eventId],
      filters,
      after: [afterId],
      limit,
    }),
  );
