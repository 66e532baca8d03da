import { hashBadgeCode } from '@event-api/contracts/http/badge-code';
import type { RosterBadge, RosterDoor } from '@event-api/contracts/http/roster';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { permissionsOfDevice, permissionsOfNamedDevice } from '@event-api/contracts/permissions';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import {
  command,
  createTestEvent,
  createTestPerk,
  createTestPerkSource,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
  unique,
} from '../fixtures.ts';

useOnsite();

const path = ({ eventId }: EventScope = scope) => `/v1/events/${eventId}/checkins/roster`;
const read = async (query = '', client: HttpClient = call) =>
  succeeded(await client('GET', `${path()}${query}`));
const noTimes = { admissionOpensAt: null, admissionClosesAt: null };
const after = async (cursor: string) => read(`?cursor=${cursor}`);

/** A checkpoint of the projections, as a message advances it. */
const advanceCheckpoint = () =>
  onsite.sql(
    `insert into onsite.projection_checkpoint as c (name, seq, stream_created_at, last_message_hash, schema_fingerprint)
     values ('projections', 1, '', '', 'columns') on conflict (name) do update set seq = c.seq + 1`,
  );

const rebuild = async () => {
  for (const fingerprint of ['resync 1', 'columns']) {
    await onsite.sql('update onsite.projection_checkpoint set schema_fingerprint = $1', [
      fingerprint,
    ]);
  }
};

/** A client of a device with these permissions and doors. */
async function device(permissions: readonly string[], doors: readonly string[]) {
  const gateway = await onsite.callers.signer('gateway');
  const token = await gateway.sign({
    ...{ audience: 'api', businessUnitId: scope.businessUnitId, permissions, doors },
    events: [scope.eventId],
    actor: { type: 'device', id: 'dev_1' },
  });
  return httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
}

describe('the roster', () => {
  test('has every badge with the hash of its code, in any status, and no email', async () => {
    const vip = await createTestPerk(onsite.sql, scope);
    const ticketTypeId = await createTestPerkSource(onsite.sql, scope, 'ticket_type', [vip]);
    const addon = await createTestPerkSource(onsite.sql, scope, 'addon', []);
    const fields = { name: 'Ada', ticketTypeId, addonIds: [addon], grantedPerkIds: [vip] };
    const ada = await createTestRegistration(onsite.sql, scope, {
      ...fields,
      replacedCheckinCodes: ['CHK-OLD'],
    });
    const bob = await createTestRegistration(onsite.sql, scope, { status: 'cancelled' });
    const { badges, sources, hasMore } = await read();
    expect(badges).toHaveLength(2);
    expect(badges).toContainEqual({
      registrationId: ada.registrationId,
      codeHash: await hashBadgeCode(ada.checkinCode),
      replacedCodeHashes: [await hashBadgeCode('CHK-OLD')],
      status: 'confirmed',
      sourceIds: [ticketTypeId, addon],
      grantedPerkIds: [vip],
      name: null,
    });
    expect(badges).toContainEqual({
      registrationId: bob.registrationId,
      codeHash: await hashBadgeCode(bob.checkinCode),
      ...{ replacedCodeHashes: [], status: 'cancelled', sourceIds: [], grantedPerkIds: [] },
      name: null,
    });
    // A source without perks is left out.
    expect(sources).toEqual([{ id: ticketTypeId, perkIds: [vip], ...noTimes }]);
    expect(hasMore).toBe(false);
  });

  test('has the doors on the program with their gates', async () => {
    const [vip, crew] = [
      await createTestPerk(onsite.sql, scope),
      await createTestPerk(onsite.sql, scope),
    ];
    const venue = await command(operator, 'venue.create', scope, { name: 'Hall', perkIds: [crew] });
    const session = await command(operator, 'session.create', scope, {
      ...{ title: 'Talk', venueId: venue.id, perkIds: [vip] },
      ...{ startsAt: '2027-05-10T07:00:00Z', endsAt: '2027-05-10T08:00:00Z' },
    });
    const { doors } = await read();
    expect(doors).toEqual([
      { subjectType: 'event', subjectId: scope.eventId, name: null, gates: [] },
      { subjectType: 'session', subjectId: session.id, name: 'Talk', gates: [[vip], [crew]] },
      { subjectType: 'venue', subjectId: venue.id, name: 'Hall', gates: [[crew]] },
    ]);
  });

  test('comes in pages that contain every badge once', async () => {
    await advanceCheckpoint();
    const people = await Promise.all(
      Array.from({ length: 7 }, () => createTestRegistration(onsite.sql, scope)),
    );
    await advanceCheckpoint();
    const pages = [await read('?limit=3')];
    while (pages.at(-1).hasMore)
      pages.push(await read(`?limit=3&cursor=${pages.at(-1).nextCursor}`));
    expect(pages.map(({ badges }) => badges.length)).toEqual([3, 3, 1]);
    expect(pages.map(({ doors }) => doors === null)).toEqual([false, true, true]);
    const ids = pages.flatMap(({ badges }) => badges.map((one: RosterBadge) => one.registrationId));
    expect(ids.toSorted()).toEqual(people.map(({ registrationId }) => registrationId).toSorted());
  });

  test('of a foreign event is the 404 of a missing one', async () => {
    const foreign = await createTestEvent(onsite);
    const missing = { ...scope, eventId: 'evt_01k8zq4m3ne7rbj5t2xw9vd6ah' };
    const responses = await Promise.all([foreign, missing].map((one) => call('GET', path(one))));
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });
});

describe('a cursor', () => {
  test('returns the badges that have changed since, and sources and doors only if they have', async () => {
    await advanceCheckpoint();
    const [ada, bob] = [
      await createTestRegistration(onsite.sql, scope),
      await createTestRegistration(onsite.sql, scope),
    ];
    const source = await createTestPerkSource(onsite.sql, scope, 'addon', ['perk_1']);
    await advanceCheckpoint();
    const whole = await read();
    const unchanged = await after(whole.nextCursor);
    expect(unchanged).toMatchObject({ badges: [], sources: null, doors: null, hasMore: false });
    await onsite.sql(
      `update onsite.registration_projection set status = 'cancelled', version = 2 where id = $1`,
      [ada.registrationId],
    );
    // An update that changes nothing that the roster shows.
    await onsite.sql('update onsite.registration_projection set version = 2 where id = $1', [
      bob.registrationId,
    ]);
    const changed = await after(unchanged.nextCursor);
    expect(changed).toMatchObject({
      badges: [{ registrationId: ada.registrationId, status: 'cancelled' }],
      ...{ sources: null, doors: null },
    });
    await onsite.sql('update onsite.addon_projection set perk_ids = $1 where id = $2', [
      ['perk_2'],
      source,
    ]);
    const venue = await command(operator, 'venue.create', scope, { name: 'Hall' });
    await advanceCheckpoint();
    const others = await after(changed.nextCursor);
    expect(others.sources).toEqual([{ id: source, perkIds: ['perk_2'], ...noTimes }]);
    expect(others.doors).toContainEqual(expect.objectContaining({ subjectId: venue.id }));
    expect((await after(others.nextCursor)).badges).toEqual([]);
  });

  test('returns a badge that was removed, and not one that has come back', async () => {
    await advanceCheckpoint();
    const [ada, bob] = [
      await createTestRegistration(onsite.sql, scope),
      await createTestRegistration(onsite.sql, scope),
    ];
    await advanceCheckpoint();
    const { nextCursor } = await read();
    const ids = [ada.registrationId, bob.registrationId];
    const kept = await onsite.sql('select * from onsite.registration_projection where id = $1', [
      bob.registrationId,
    ]);
    await onsite.sql('delete from onsite.registration_projection where id = any($1)', [ids]);
    await onsite.sql(
      'insert into onsite.registration_projection select * from jsonb_populate_record(null::onsite.registration_projection, $1)',
      [JSON.stringify(kept[0])],
    );
    const { badges } = await after(nextCursor);
    expect(badges).toHaveLength(2);
    expect(badges).toContainEqual({ registrationId: ada.registrationId, removed: true });
    expect(badges).toContainEqual(
      expect.objectContaining({ registrationId: bob.registrationId, status: 'confirmed' }),
    );
  });

  test('of another event or with other names is a 400, and one before a rebuild a 412', async () => {
    await advanceCheckpoint();
    const { nextCursor } = await read();
    const other = await createTestEvent(onsite, { businessUnitId: scope.businessUnitId });
    const misused = await call('GET', `${path(other)}?cursor=${nextCursor}`);
    const named = await call('GET', `${path()}?include=names&cursor=${nextCursor}`);
    expect([misused, named].map(errorReason)).toEqual([
      [400, 'cursor'],
      [400, 'cursor'],
    ]);
    succeeded(await call('GET', `${path()}?cursor=${nextCursor}`));
    await rebuild();
    const expired = await call('GET', `${path()}?cursor=${nextCursor}`);
    expect(errorReason(expired)).toEqual([412, 'CURSOR_EXPIRED']);
    succeeded(await call('GET', path()));
  });

  test('beyond the checkpoint, which a crash has set back, is a 412', async () => {
    await advanceCheckpoint();
    const { nextCursor } = await read();
    await onsite.sql('update onsite.projection_checkpoint set seq = seq - 1');
    const expired = await call('GET', `${path()}?cursor=${nextCursor}`);
    expect(errorReason(expired)).toEqual([412, 'CURSOR_EXPIRED']);
    await advanceCheckpoint();
    succeeded(await call('GET', `${path()}?cursor=${nextCursor}`));
  });
});

describe('a device', () => {
  test('reads its own doors only', async () => {
    const [hall, side] = await Promise.all(
      ['Hall', 'Side room'].map((name) => command(operator, 'venue.create', scope, { name })),
    );
    const client = await device(permissionsOfDevice, [hall.id]);
    const { doors } = await read('', client);
    expect(doors.map(({ subjectId }: RosterDoor) => subjectId)).toEqual([hall.id]);
    const other = await device(permissionsOfDevice, [scope.eventId, side.id]);
    expect((await read('', other)).doors.map((door: RosterDoor) => door.subjectId)).toEqual([
      scope.eventId,
      side.id,
    ]);
  });

  test('reads names only if it may show them, and an erased name is gone', async () => {
    const ada = await createTestRegistration(onsite.sql, scope, { name: 'Ada' });
    const doors = [scope.eventId];
    const unnamed = await device(permissionsOfDevice, doors);
    const refused = await unnamed('GET', `${path()}?include=names`);
    expect([refused.status, refused.body.error.status]).toEqual([403, 'PERMISSION_DENIED']);
    expect((await read('', unnamed)).badges).toMatchObject([{ name: null }]);
    const named = await device(permissionsOfNamedDevice, doors);
    expect((await read('', named)).badges).toMatchObject([{ name: null }]);
    const withNames = await read('?include=names', named);
    expect(withNames.badges).toMatchObject([{ name: 'Ada' }]);
    await onsite.sql('update onsite.registration_projection set name = null where id = $1', [
      ada.registrationId,
    ]);
    const erased = await read(`?include=names&cursor=${withNames.nextCursor}`, named);
    expect(erased.badges).toMatchObject([{ registrationId: ada.registrationId, name: null }]);
  });
});

describe('the result of a scan', () => {
  test('says whether the badge has changed since the roster of the device', async () => {
    await advanceCheckpoint();
    const [ada, bob] = [
      await createTestRegistration(onsite.sql, scope),
      await createTestRegistration(onsite.sql, scope),
    ];
    await advanceCheckpoint();
    const { nextCursor: rosterCursor } = await read();
    await onsite.sql(
      `update onsite.registration_projection set status = 'cancelled' where id = $1`,
      [ada.registrationId],
    );
    const report = async (cursor: string | undefined, scans: readonly object[]) => {
      const scannedAt = new Date().toISOString();
      const common = { subjectType: 'event', scannedAt, decision: 'admitted' };
      const body = {
        sentAt: scannedAt,
        scans: scans.map((scan) => ({
          ...{ scanId: unique('scan'), rosterCursor: cursor, ...common, ...scan },
        })),
      };
      const path = `/v1/events/${scope.eventId}/checkins/batch`;
      return succeeded(await call('POST', path, { body })).results;
    };
    stubBadgeResponse(onsite.owners, scope, ada, { status: 'cancelled' });
    const both = [{ registrationId: ada.registrationId }, { checkinCode: bob.checkinCode }];
    expect(await report(rosterCursor, both)).toMatchObject([
      { result: 'overruled', rosterWasCurrent: false },
      { result: 'recorded', rosterWasCurrent: true },
    ]);
    const refused = [{ registrationId: bob.registrationId, decision: 'refused' }];
    expect(await report(rosterCursor, refused)).toMatchObject([
      { result: 'logged', rosterWasCurrent: true },
    ]);
    for (const cursor of [undefined, 'list-17']) {
      expect(await report(cursor, both)).toMatchObject([
        { result: 'already', rosterWasCurrent: null },
        { result: 'already', rosterWasCurrent: null },
      ]);
    }
    await rebuild();
    expect(await report(rosterCursor, both)).toMatchObject([
      { rosterWasCurrent: null },
      { rosterWasCurrent: null },
    ]);
  });
});
