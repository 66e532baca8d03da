import type { SubjectType } from '@event-api/contracts/http/checkins';
import { registrationStatuses } from '@event-api/contracts/http/registrations';
import type {
  RosterBadge,
  RosterCheckin,
  RosterDoor,
  RosterEvent,
  RosterSource,
  UndoneCheckin,
} from '@event-api/contracts/http/roster';
import { createRandom } from '@event-api/platform/testing/random';
import {
  type Badge,
  type Door,
  decideCheckin,
  decideRepeat,
} from '@event-api/rules/checkin-decision';
import { badgeOfRoster, gatesOfRoster } from '@event-api/rules/roster-decision';
import { expect, test } from 'vitest';
import {
  type DoorLookup,
  findExistingCheckins,
  loadDoors,
} from '../../src/checkins/checkins.queries.ts';
import { codeHashOf, hashedBadge } from '../../src/checkins/code-hash.ts';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import { command, succeeded } from '../fixtures.ts';

useOnsite();

const badgeCount = process.env.TEST_SIZE === 'full' ? 100_000 : 20_000;
/** As many scans as a batch of the server has. */
const batchSize = 250;

const random = createRandom(20_270_510).below;
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
/** Up to `most` different items. */
const some = <Item>(items: readonly Item[], most: number): Item[] => [
  ...new Set(Array.from({ length: random(most + 1) }, () => pick(items))),
];

/** Instants before, within and after the days and the times of admission. */
const instants = [4, 9, 10, 11, 12, 20].map(
  (day) => `2027-05-${String(day).padStart(2, '0')}T08:00:00.000Z`,
);
const someInstant = () => (random(2) === 0 ? null : pick(instants));

const perks = Array.from({ length: 6 }, (_, n) => `perk_${n}`);

/**
 * Creates perk sources, venues and sessions with random perks. Returns the ids of the sources by
 * kind.
 */
async function createProgram() {
  const { businessUnitId, eventId } = scope;
  const insertAll = (table: string, columns: string, rows: readonly object[]) =>
    onsite.sql(
      `insert into onsite.${table} (business_unit_id, event_id, ${columns})
       select $1, $2, ${columns} from jsonb_populate_recordset(null::onsite.${table}, $3)`,
      [businessUnitId, eventId, JSON.stringify(rows)],
    );
  const sourcesOf = async (kind: string, count: number) => {
    const ids = Array.from({ length: count }, (_, n) => `${kind}_${eventId}_${n}`);
    const isType = kind === 'ticket_type';
    const rows = ids.map((id) => ({
      ...{ id, version: 1, perk_ids: some(perks, 2) },
      ...(isType && { admission_opens_at: someInstant(), admission_closes_at: someInstant() }),
    }));
    const columns = `id, version, perk_ids${isType ? ', admission_opens_at, admission_closes_at' : ''}`;
    await insertAll(`${kind}_projection`, columns, rows);
    return [...ids, `${kind}_not_projected`];
  };
  const named = (kind: string, n: number) => ({
    id: `${kind}_${eventId}_${n}`,
    perk_ids: some(perks, 2),
  });
  const venues = Array.from({ length: 8 }, (_, n) => ({ ...named('ven', n), name: 'Hall' }));
  await insertAll('venue', 'id, name, perk_ids', venues);
  const times = { starts_at: '2027-05-10T07:00:00Z', ends_at: '2027-05-10T08:00:00Z' };
  const sessions = Array.from({ length: 12 }, (_, n) => ({
    ...{ ...named('ses', n), ...times, title: 'Talk', agenda_version: 0 },
    venue_id: random(3) > 0 ? pick(venues).id : null,
  }));
  const columns = 'id, title, starts_at, ends_at, venue_id, perk_ids, agenda_version';
  await insertAll('session', columns, sessions);
  return {
    ticketTypes: await sourcesOf('ticket_type', 10),
    addons: await sourcesOf('addon', 10),
    codes: await sourcesOf('redemption_code', 10),
  };
}

async function createBadges(sources: Awaited<ReturnType<typeof createProgram>>) {
  const { businessUnitId, eventId } = scope;
  const badges = Array.from({ length: badgeCount }, (_, n) => ({
    id: `reg_${eventId}_${n}`,
    business_unit_id: businessUnitId,
    event_id: eventId,
    version: 1,
    // Two of three are confirmed, so that gates decide, too.
    status: random(3) > 0 ? 'confirmed' : pick(registrationStatuses),
    checkin_code: `CHK-${eventId}-${n}`.toUpperCase(),
    replaced_checkin_codes: random(4) === 0 ? [`OLD-${eventId}-${n}`.toUpperCase()] : [],
    ticket_type_id: random(10) === 0 ? null : pick(sources.ticketTypes),
    addon_ids: some(sources.addons, 2),
    redemption_code_id: random(3) === 0 ? pick(sources.codes) : null,
    granted_perk_ids: random(4) === 0 ? some(perks, 2) : [],
  }));
  for (let n = 0; n < badgeCount; n += 10_000) {
    await onsite.sql(
      `insert into onsite.registration_projection
       select * from jsonb_populate_recordset(null::onsite.registration_projection, $1)`,
      [JSON.stringify(badges.slice(n, n + 10_000).map((one) => ({ ...one, changed_seq: 0 })))],
    );
  }
  return badges;
}

/**
 * Lets some people in at random doors: with their badge, with a former one, or with one that nobody
 * knows. Every third of these check-ins is undone.
 */
async function createCheckins(
  badges: Awaited<ReturnType<typeof createBadges>>,
  doors: readonly RosterDoor[],
): Promise<void> {
  const rows = badges.flatMap((badge, n) => {
    if (random(2) === 0) return [];
    const { subjectType, subjectId } = pick(doors);
    const code = pick([badge.checkin_code, badge.replaced_checkin_codes[0] ?? null]);
    return {
      ...{ id: `chk_${scope.eventId}_${n}`, subject_type: subjectType, subject_id: subjectId },
      ...{ registration_id: badge.id, code_hash: code && codeHashOf(code) },
      undone_at: random(3) === 0 ? '2027-05-10T09:00:00Z' : null,
    };
  });
  const { businessUnitId, eventId } = scope;
  await onsite.sql(
    `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id, method, code_hash,
       undone_at, version)
     select id, $1, $2, registration_id, subject_type, subject_id, 'scan', code_hash, undone_at, 1000 + row_number() over ()
     from jsonb_populate_recordset(null::onsite.checkin, $3)`,
    [businessUnitId, eventId, JSON.stringify(rows)],
  );
}

/** Gives the event another status, other days, other times and another rule. */
async function changeEvent(): Promise<void> {
  const { businessUnitId, eventId } = scope;
  const values = [someInstant(), someInstant(), someInstant(), someInstant()];
  await onsite.sql(
    `update onsite.event_projection set status = $3, timezone = $4, starts_at = $5, ends_at = $6, admission_opens_at = $7,
       admission_closes_at = $8 where business_unit_id = $1 and id = $2`,
    [
      businessUnitId,
      eventId,
      pick([null, 'draft', 'published', 'published', 'archived']),
      pick([null, 'UTC', 'Pacific/Auckland', 'America/Los_Angeles']),
      ...values,
    ],
  );
  const rules = { refuseIfFormerInside: random(2) === 0 };
  await command(operator, 'event.setDoorRules', scope, rules);
}

/** Everything that a device has of the event. */
async function loadRoster() {
  const url = `/v1/events/${scope.eventId}/checkins/roster?limit=5000`;
  const badges: RosterBadge[] = [];
  const checkins: (RosterCheckin | UndoneCheckin)[] = [];
  let page = succeeded(await call('GET', url));
  const { sources, doors } = page as { sources: RosterSource[]; doors: RosterDoor[] };
  for (;;) {
    badges.push(...page.badges);
    checkins.push(...page.checkins);
    if (!page.hasMore) return { badges, checkins, sources, doors };
    page = succeeded(await call('GET', `${url}&cursor=${page.nextCursor}`));
  }
}

/** The verdict with the check-in at the door, if there is one. */
function verdictOf(
  presented: Parameters<typeof decideCheckin>[0],
  badge: Badge | null,
  door: Door,
  at: Date,
  earlier: { codeHash: string | null } | undefined,
): string {
  const decision = decideCheckin(presented, badge, door, at);
  if (decision.outcome !== 'admitted') return decision.outcome;
  if (!earlier) return `admitted ${decision.notice}`;
  const repeat = decideRepeat(decision.badge, earlier, door.event);
  return repeat.outcome === 'already' ? `already ${repeat.badgeReplaced}` : repeat.outcome;
}

const keyOf = (registrationId: string, door: { subjectType: string; subjectId: string }) =>
  `${registrationId} ${door.subjectType} ${door.subjectId}`;

test('random badges get the same verdict from the roster and from the server', async () => {
  const created = await createBadges(await createProgram());
  const { doors: allDoors } = await loadRoster();
  expect(allDoors).toHaveLength(21);
  await createCheckins(created, allDoors);
  const roster = await loadRoster();
  expect(roster.badges).toHaveLength(badgeCount);
  const sources = new Map(roster.sources.map((source) => [source.id, source]));
  const byHash = new Map(
    roster.badges.flatMap((badge) =>
      [badge.codeHash, ...badge.replacedCodeHashes].map((hash) => [hash, badge] as const),
    ),
  );
  const byId = new Map(roster.badges.map((badge) => [badge.registrationId, badge]));
  const doors = new Map(
    roster.doors.map((door) => [`${door.subjectType} ${door.subjectId}`, door]),
  );
  const inside = new Map(
    roster.checkins.flatMap((checkin) =>
      'removed' in checkin ? [] : [[keyOf(checkin.registrationId, checkin), checkin] as const],
    ),
  );
  const insideById = new Map(
    [...inside.values()].map((checkin) => [checkin.registrationId, checkin]),
  );
  const unknownDoor = { subjectType: 'venue' as const, subjectId: 'ven_unknown' };
  const outcomes = new Map<string, number>();
  for (let start = 0; start < badgeCount; start += batchSize) {
    await changeEvent();
    const url = `/v1/events/${scope.eventId}/checkins/roster?limit=1`;
    const { event } = succeeded(await call('GET', url)) as { event: RosterEvent };
    const lookups = created.slice(start, start + batchSize).map((badge): DoorLookup => {
      const [replaced] = badge.replaced_checkin_codes;
      const code = pick([badge.checkin_code, badge.checkin_code, replaced ?? badge.checkin_code]);
      const presented = pick([
        { registrationId: badge.id },
        { checkinCode: code },
        { registrationId: badge.id, checkinCode: code },
        { registrationId: badge.id, checkinCode: pick(created).checkin_code },
        { checkinCode: random(20) === 0 ? 'CHK-UNKNOWN' : code },
      ]);
      const own = insideById.get(badge.id);
      const chosen = own && random(2) === 0 ? own : pick(roster.doors);
      const { subjectType, subjectId } = random(50) === 0 ? unknownDoor : chosen;
      return { ...scope, ...presented, subjectType: subjectType as SubjectType, subjectId };
    });
    const { db } = onsite.replica(0);
    const found = await loadDoors(db, lookups);
    const existing = await findExistingCheckins(
      db,
      lookups.map((lookup, index) => ({
        ...lookup,
        registrationId: found[index]?.badge?.id ?? '',
      })),
    );
    const byDoor = new Map(existing.map((row) => [keyOf(row.registrationId, row), row]));
    for (const [index, lookup] of lookups.entries()) {
      const { registrationId, checkinCode } = lookup;
      const { badge, door } = found[index] as (typeof found)[number];
      const presented = hashedBadge({ registrationId, checkinCode });
      const at = new Date(pick(instants));
      const own = verdictOf(presented, badge, door, at, byDoor.get(keyOf(badge?.id ?? '', lookup)));
      const inRoster =
        registrationId === undefined
          ? byHash.get(codeHashOf(checkinCode ?? ''))
          : byId.get(registrationId);
      const rosterDoor = doors.get(`${lookup.subjectType} ${lookup.subjectId}`);
      const offline = verdictOf(
        presented,
        inRoster ? badgeOfRoster(inRoster, sources) : null,
        { gates: rosterDoor ? gatesOfRoster(rosterDoor) : null, event },
        at,
        inside.get(keyOf(inRoster?.registrationId ?? '', lookup)),
      );
      if (offline !== own) {
        expect.fail(`${JSON.stringify(lookup)}: ${offline} instead of ${own}`);
      }
      outcomes.set(own, (outcomes.get(own) ?? 0) + 1);
    }
  }
  // Each verdict occurs often, so that the comparison means something.
  expect([...outcomes.keys()].sort()).toEqual([
    'admission_closed',
    'admitted EVENT_NOT_PUBLISHED',
    'admitted OUTSIDE_EVENT_DAYS',
    'admitted null',
    'already false',
    'already true',
    'badge_mismatch',
    'badge_replaced',
    'former_badge_inside',
    'gate_closed',
    'not_confirmed',
    'unknown_badge',
    'unknown_door',
  ]);
  for (const [outcome, count] of outcomes) expect(count, outcome).toBeGreaterThan(5);
});
