import type { SubjectType } from '@event-api/contracts/http/checkins';
import { registrationStatuses } from '@event-api/contracts/http/registrations';
import type { RosterBadge, RosterDoor, RosterSource } from '@event-api/contracts/http/roster';
import { createRandom } from '@event-api/platform/testing/random';
import { decideCheckin } from '@event-api/rules/checkin-decision';
import { badgeOfRoster, gatesOfRoster } from '@event-api/rules/roster-decision';
import { expect, test } from 'vitest';
import { type DoorLookup, loadDoors } from '../../src/checkins/checkins.queries.ts';
import { codeHashOf, hashedBadge } from '../../src/checkins/code-hash.ts';
import { call, onsite, scope, useOnsite } from '../context.ts';
import { succeeded } from '../fixtures.ts';

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
    const rows = ids.map((id) => ({ id, version: 1, perk_ids: some(perks, 2) }));
    await insertAll(`${kind}_projection`, 'id, version, perk_ids', rows);
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
    replaced_checkin_codes: random(20) === 0 ? [`OLD-${eventId}-${n}`.toUpperCase()] : [],
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

/** Everything that a device has of the event. */
async function loadRoster() {
  const url = `/v1/events/${scope.eventId}/checkins/roster?limit=5000`;
  const badges: RosterBadge[] = [];
  let first = succeeded(await call('GET', url));
  const { sources, doors } = first as { sources: RosterSource[]; doors: RosterDoor[] };
  for (;;) {
    badges.push(...first.badges);
    if (!first.hasMore) return { badges, sources, doors };
    first = succeeded(await call('GET', `${url}&cursor=${first.nextCursor}`));
  }
}

test('random badges get the same verdict from the roster and from the server', async () => {
  const created = await createBadges(await createProgram());
  const roster = await loadRoster();
  expect(roster.badges).toHaveLength(badgeCount);
  expect(roster.doors).toHaveLength(21);
  const sources = new Map(roster.sources.map(({ id, perkIds }) => [id, perkIds]));
  const byHash = new Map(
    roster.badges.flatMap((badge) =>
      [badge.codeHash, ...badge.replacedCodeHashes].map((hash) => [hash, badge] as const),
    ),
  );
  const byId = new Map(roster.badges.map((badge) => [badge.registrationId, badge]));
  const doors = new Map(
    roster.doors.map((door) => [`${door.subjectType} ${door.subjectId}`, door]),
  );
  const unknownDoor = { subjectType: 'venue' as const, subjectId: 'ven_unknown' };
  const outcomes = new Map<string, number>();
  for (let start = 0; start < badgeCount; start += batchSize) {
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
      const { subjectType, subjectId } = random(50) === 0 ? unknownDoor : pick(roster.doors);
      return { ...scope, ...presented, subjectType: subjectType as SubjectType, subjectId };
    });
    const found = await loadDoors(onsite.replica(0).db, lookups);
    for (const [index, lookup] of lookups.entries()) {
      const { registrationId, checkinCode } = lookup;
      const { badge, gates } = found[index] ?? { badge: null, gates: null };
      const presented = hashedBadge({ registrationId, checkinCode });
      const own = decideCheckin(presented, badge, gates);
      const inRoster =
        registrationId === undefined
          ? byHash.get(codeHashOf(checkinCode ?? ''))
          : byId.get(registrationId);
      const door = doors.get(`${lookup.subjectType} ${lookup.subjectId}`);
      const offline = decideCheckin(
        presented,
        inRoster ? badgeOfRoster(inRoster, sources) : null,
        door ? gatesOfRoster(door) : null,
      );
      if (offline.outcome !== own.outcome) {
        expect.fail(`${JSON.stringify(lookup)}: ${offline.outcome} instead of ${own.outcome}`);
      }
      outcomes.set(own.outcome, (outcomes.get(own.outcome) ?? 0) + 1);
    }
  }
  // Each verdict occurs often, so that the comparison means something.
  expect(outcomes.size).toBe(7);
  for (const [outcome, count] of outcomes)
    expect(count, outcome).toBeGreaterThan(0.003 * badgeCount);
});
