import { exhibitorStatuses } from '@event-api/contracts/http/exhibitors';
import { changeTypesOf, typesOf, writtenChanges } from '@event-api/platform/testing/changes';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { call, onsite, operator, scope, useOnsite } from './context.ts';
import {
  advanceProjectedAgenda,
  command,
  createTestPerk,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  stubEventSnapshot,
  succeeded,
} from './fixtures.ts';

useOnsite();

const run = (name: string, input: object) => command(operator, name, scope, input);
const attempt = (name: string, input: object) =>
  operator('POST', `/operator/${name}`, { body: { ...scope, ...input } });

/** Runs `work` and returns the changes that it causes. */
async function changesOf(work: () => Promise<unknown>) {
  const before = await writtenChanges(onsite, 'onsite');
  await work();
  return (await writtenChanges(onsite, 'onsite')).slice(before.length);
}

const versionOf = async (table: string, id: string): Promise<number> => {
  const [row] = await onsite.sql<{ version: string }>(
    `select version from onsite.${table} where id = $1`,
    [id],
  );
  return Number(row?.version);
};

const none = { status: null };
const times = { startsAt: '2027-05-10T09:00:00Z', endsAt: '2027-05-10T10:00:00Z' };

describe.each([
  ['session', { title: 'Opening', ...times }, { title: 'Keynote' }],
  ['speaker', { name: 'Ada' }, { name: 'Grace', bio: 'Compilers' }],
  ['venue', { name: 'Hall' }, { name: 'Hall 2' }],
] as const)('a %s', (kind, created, patch) => {
  const idField = `${kind}Id`;

  test('reports its creation with its version and the actor', async () => {
    let id = '';
    const changes = await changesOf(async () => {
      id = (await run(`${kind}.create`, created)).id;
    });
    expect(changes).toEqual([
      {
        id: expect.stringMatching(/^chg_/),
        type: `${kind}.created`,
        eventId: scope.eventId,
        object: { type: kind, id, version: await versionOf(kind, id) },
        previous: null,
        current: none,
        actor: { type: 'cli', id: null },
      },
    ]);
  });

  test('reports an update once, and none for a repeat', async () => {
    const { id } = await run(`${kind}.create`, created);
    const before = await versionOf(kind, id);
    const changes = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) await run(`${kind}.update`, { [idField]: id, ...patch });
    });
    const version = await versionOf(kind, id);
    expect(version).toBeGreaterThan(before);
    expect(changes).toMatchObject([
      { type: `${kind}.updated`, object: { id, version }, previous: none, current: none },
    ]);
  });

  test('reports its deletion with a version above the last one', async () => {
    const { id } = await run(`${kind}.create`, created);
    const version = (await versionOf(kind, id)) + 1;
    const changes = await changesOf(() => run(`${kind}.delete`, { [idField]: id }));
    expect(changes).toMatchObject([
      { type: `${kind}.deleted`, object: { id, version }, previous: none, current: null },
    ]);
  });
});

describe('a session', () => {
  test('reports nothing when its update is rejected', async () => {
    const { id } = await run('session.create', { title: 'Opening', ...times });
    const changes = await changesOf(async () => {
      const body = { sessionId: id, title: 'Late', endsAt: times.startsAt };
      expect((await attempt('session.update', body)).status).toBe(400);
    });
    expect(changes).toEqual([]);
  });

  test('reports an update when its perks change, in any order and with repetitions', async () => {
    const perks = [
      await createTestPerk(onsite.sql, scope),
      await createTestPerk(onsite.sql, scope),
    ] as const;
    const { id } = await run('session.create', { title: 'Opening', ...times, perkIds: perks });
    const same = await changesOf(() =>
      run('session.update', { sessionId: id, perkIds: [...perks, perks[0]] }),
    );
    const other = await changesOf(() => run('session.update', { sessionId: id, perkIds: [] }));
    expect([same, other]).toMatchObject([[], [{ type: 'session.updated' }]]);
  });
});

describe('the deletion of a venue', () => {
  test('reports each session and each exhibitor that was there', async () => {
    const { id: venueId } = await run('venue.create', { name: 'Hall' });
    const { id: otherId } = await run('venue.create', { name: 'Other hall' });
    const there = await run('session.create', { title: 'Here', ...times, venueId });
    await run('session.create', { title: 'Elsewhere', ...times, venueId: otherId });
    const exhibitor = await run('exhibitor.create', { name: 'Engines' });
    for (const number of ['A1', 'A2']) {
      const booth = { exhibitorId: exhibitor.id, number, type: 'corner', venueId };
      await run('exhibitor.allocateBooth', booth);
    }
    const changes = await changesOf(() => run('venue.delete', { venueId }));
    expect(changes.map(({ type, object: { id } }) => [type, id])).toEqual([
      ['session.updated', there.id],
      ['exhibitor.updated', exhibitor.id],
      ['venue.deleted', venueId],
    ]);
    expect(changes.map(({ object }) => object.version).slice(0, 2)).toEqual([
      await versionOf('session', there.id),
      await versionOf('exhibitor', exhibitor.id),
    ]);
  });

  test('reports no session that a date move has cleared', async () => {
    const { id: venueId } = await run('venue.create', { name: 'Hall' });
    await run('session.create', { title: 'Cleared', ...times, venueId });
    await advanceProjectedAgenda(onsite.sql, scope);
    stubEventSnapshot(onsite.owners, scope, 1, 2);
    const changes = await changesOf(() => run('venue.delete', { venueId }));
    expect(changes).toMatchObject([{ type: 'venue.deleted' }]);
  });
});

describe('an exhibitor', () => {
  /** The command that leads to each status; a new exhibitor is pending. */
  const commandTo = { pending: null, confirmed: 'confirm', declined: 'decline' } as const;
  const moves = exhibitorStatuses.flatMap((from) =>
    exhibitorStatuses.filter((to) => commandTo[to] !== null).map((to) => [from, to] as const),
  );

  test('reports its creation as pending', async () => {
    const changes = await changesOf(() => run('exhibitor.create', { name: 'Engines' }));
    expect(changes).toMatchObject([
      { type: 'exhibitor.created', previous: null, current: { status: 'pending' } },
    ]);
  });

  test.each(moves)(
    'reports the move from %s to %s, unless it has that status',
    async (from, to) => {
      const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
      if (commandTo[from]) await run(`exhibitor.${commandTo[from]}`, { exhibitorId });
      const changes = await changesOf(() => run(`exhibitor.${commandTo[to]}`, { exhibitorId }));
      const version = await versionOf('exhibitor', exhibitorId);
      const move = {
        type: `exhibitor.${to}`,
        object: { id: exhibitorId, version },
        previous: { status: from },
        current: { status: to },
      };
      expect(changes).toMatchObject(from === to ? [] : [move]);
    },
  );

  test('reports an update once for each change of its profile, roster and booths', async () => {
    const { id: exhibitorId } = await run('exhibitor.create', { name: 'Engines' });
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const member = { exhibitorId, registrationId };
    const commands: [string, object, number][] = [
      ['update', { exhibitorId, name: 'Looms' }, 1],
      ['update', { exhibitorId, name: 'Looms' }, 0],
      ['addMember', { ...member, role: 'Sales' }, 1],
      ['addMember', { ...member, role: 'Sales' }, 0],
      ['addMember', { ...member, role: 'Host' }, 1],
      ['removeMember', member, 1],
      ['removeMember', member, 0],
      ['allocateBooth', { exhibitorId, number: 'A1', type: 'corner' }, 1],
      ['releaseBooth', { exhibitorId, number: 'A1' }, 1],
      ['releaseBooth', { exhibitorId, number: 'A1' }, 0],
    ];
    for (const [name, input, count] of commands) {
      const changes = await changesOf(() => run(`exhibitor.${name}`, input));
      const version = await versionOf('exhibitor', exhibitorId);
      const change = { type: 'exhibitor.updated', object: { id: exhibitorId, version } };
      expect([name, changes]).toMatchObject([name, Array(count).fill(change)]);
    }
  });

  test('reports nothing when a booth or a member belongs to another exhibitor', async () => {
    const first = await run('exhibitor.create', { name: 'Engines' });
    const second = await run('exhibitor.create', { name: 'Looms' });
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const booth = { number: 'A1', type: 'corner' };
    const member = { registrationId, role: 'Sales' };
    await run('exhibitor.allocateBooth', { exhibitorId: first.id, ...booth });
    await run('exhibitor.addMember', { exhibitorId: first.id, ...member });
    const changes = await changesOf(async () => {
      const exhibitorId = second.id;
      expect((await attempt('exhibitor.allocateBooth', { exhibitorId, ...booth })).status).toBe(
        409,
      );
      expect((await attempt('exhibitor.addMember', { exhibitorId, ...member })).status).toBe(409);
    });
    expect(changes).toEqual([]);
  });
});

describe('a check-in', () => {
  const path = () => `/v1/events/${scope.eventId}/checkins`;
  const body = (checkinCode: string) => ({ checkinCode, subjectType: 'event', method: 'scan' });
  const scan = (checkinCode: string) => call('POST', path(), { body: body(checkinCode) });

  test('reports its creation with its version and the key', async () => {
    const { checkinCode } = await createTestRegistration(onsite.sql, scope);
    const changes = await changesOf(() => scan(checkinCode));
    const [checkin] = succeeded(await call('GET', path())).checkins;
    const version = await versionOf('checkin', checkin.id);
    expect(changes).toEqual([
      {
        id: expect.stringMatching(/^chg_/),
        type: 'checkin.created',
        eventId: scope.eventId,
        object: { type: 'checkin', id: checkin.id, version },
        previous: null,
        current: none,
        actor: { type: 'key', id: '' },
      },
    ]);
  });

  test('reports one creation for each first scan of a batch, whatever else is scanned', async () => {
    const badges = await Promise.all(
      Array.from({ length: 40 }, () => createTestRegistration(onsite.sql, scope)),
    );
    const changes = await changesOf(async () => {
      const scans = badges.flatMap(({ checkinCode }) => [checkinCode, checkinCode, 'unknown']);
      const statuses = (await Promise.all(scans.map(scan))).map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
    });
    const { checkins } = succeeded(await call('GET', `${path()}?limit=100`));
    const ids = (checkins as { id: string }[]).map(({ id }) => id).sort();
    expect(ids).toHaveLength(40);
    expect(changes.map(({ object }) => object.id).sort()).toEqual(ids);
    expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(['checkin.created']));
    expect(new Set(changes.map(({ id }) => id)).size).toBe(40);
  });

  test('reports once that it is undone, with a version above that of its creation', async () => {
    const { checkinCode } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(checkinCode), 201).checkin;
    const before = await versionOf('checkin', id);
    const changes = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) {
        succeeded(await call('POST', `${path()}/${id}/undo`, { body: { reason: 'A mistake.' } }));
      }
    });
    const version = await versionOf('checkin', id);
    expect(version).toBeGreaterThan(before);
    expect(changes).toMatchObject([
      { type: 'checkin.undone', object: { id, version }, previous: none, current: none },
    ]);
  });

  test('reports the scans of a device: first, against the rules, contested', async () => {
    const [ada, bob] = [
      await createTestRegistration(onsite.sql, scope),
      await createTestRegistration(onsite.sql, scope, { status: 'cancelled' }),
    ];
    stubBadgeResponse(onsite.owners, scope, bob, { status: 'cancelled' });
    const gateway = await onsite.callers.signer('gateway');
    const reportAs = async (id: string, badges: readonly { registrationId: string }[]) => {
      const actor = { type: 'device', id } as const;
      const { businessUnitId } = scope;
      const token = await gateway.sign({ audience: 'api', businessUnitId, actor });
      const scannedAt = '2027-01-01T00:00:00Z';
      const scans = badges.map(({ registrationId }, n) => ({
        ...{ scanId: `${id}-${n}`, registrationId, subjectType: 'event', scannedAt },
        decision: 'admitted',
      }));
      const client = httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
      const body = { sentAt: scannedAt, scans };
      return succeeded(await client('POST', `${path()}/batch`, { body })).results;
    };
    const changes = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) await reportAs('dev_1', [ada, bob]);
      await reportAs('dev_2', [ada, bob]);
    });
    const { checkins } = succeeded(await call('GET', path()));
    const idOf = (badge: { registrationId: string }) =>
      checkins.find((one: typeof badge) => one.registrationId === badge.registrationId).id;
    const by = (id: string) => ({ actor: { type: 'device', id } });
    const object = (badge: { registrationId: string }) => ({ object: { id: idOf(badge) } });
    expect(changes).toHaveLength(4);
    expect(changes).toEqual(
      expect.arrayContaining(
        [
          { type: 'checkin.created', ...object(ada), ...by('dev_1'), previous: null },
          { type: 'checkin.overruled', ...object(bob), ...by('dev_1'), previous: null },
          { type: 'checkin.contested', ...object(ada), ...by('dev_2'), previous: none },
          { type: 'checkin.contested', ...object(bob), ...by('dev_2'), previous: none },
        ].map((change) =>
          expect.objectContaining({ ...change, object: expect.objectContaining(change.object) }),
        ),
      ),
    );
    for (const badge of [ada, bob]) {
      const versions = changes.flatMap(({ object: { id, version } }) =>
        id === idOf(badge) ? [version] : [],
      );
      expect(versions[1]).toBeGreaterThan(versions[0] as number);
    }
  });

  test('reports the key of each scan of a batch', async () => {
    const gateway = await onsite.callers.signer('gateway');
    const clients = await Promise.all(
      ['key_0', 'key_1'].map(async (keyId) => {
        const { businessUnitId } = scope;
        const token = await gateway.sign({ audience: 'api', businessUnitId, keyId });
        return httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
      }),
    );
    /**
     * Scans forty badges at once and returns the largest number of keys whose scans share a
     * transaction.
     */
    async function scanAtOnce(): Promise<number> {
      const badges = await Promise.all(
        Array.from({ length: 40 }, () => createTestRegistration(onsite.sql, scope)),
      );
      const keyOf = new Map<string, string>();
      const changes = await changesOf(() =>
        Promise.all(
          badges.map(async ({ checkinCode }, n) => {
            const response = await (clients[n % 2] ?? call)('POST', path(), {
              body: body(checkinCode),
            });
            keyOf.set(succeeded(response, 201).checkin.id, `key_${n % 2}`);
          }),
        ),
      );
      expect(changes).toHaveLength(40);
      for (const { object, actor } of changes) {
        expect(actor).toEqual({ type: 'key', id: keyOf.get(object.id) });
      }
      const rows = await onsite.sql<{ ids: string[] }>(
        'select array_agg(id) as ids from onsite.checkin where event_id = $1 group by xmin::text',
        [scope.eventId],
      );
      const keysOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => keyOf.get(id) ?? []));
      return Math.max(...rows.map(({ ids }) => keysOf(ids).size));
    }
    // On a busy machine the scans may arrive one by one.
    await eventually(async () => expect(await scanAtOnce()).toBe(2));
  });

  test('reports nothing for a rejected and for a repeated scan', async () => {
    const cancelled = await createTestRegistration(onsite.sql, scope, { status: 'cancelled' });
    stubBadgeResponse(onsite.owners, scope, cancelled, { status: 'cancelled' });
    const confirmed = await createTestRegistration(onsite.sql, scope);
    succeeded(await scan(confirmed.checkinCode), 201);
    const changes = await changesOf(async () => {
      const rejected = await scan(cancelled.checkinCode);
      expect(errorReason(rejected)).toEqual([412, 'NOT_CONFIRMED']);
      succeeded(await scan(confirmed.checkinCode), 200);
    });
    expect(changes).toEqual([]);
  });
});

test('no change contains a name or a badge code', async () => {
  const secrets = ['Canary Session', 'Canary Speaker', 'Canary Exhibitor', 'Canary Person'];
  const [session, speaker, exhibitor, name] = secrets;
  await run('session.create', { title: session, ...times });
  await run('speaker.create', { name: speaker });
  await run('exhibitor.create', { name: exhibitor });
  const { checkinCode } = await createTestRegistration(onsite.sql, scope, { name: `${name}` });
  const body = { checkinCode, subjectType: 'event', method: 'scan' };
  succeeded(await call('POST', `/v1/events/${scope.eventId}/checkins`, { body }), 201);
  const feed = JSON.stringify(await writtenChanges(onsite, 'onsite'));
  for (const secret of [...secrets, checkinCode]) expect(feed).not.toContain(secret);
});

test('every type of change of onsite is reported by a test of this file', async () => {
  const seen = typesOf(await writtenChanges(onsite, 'onsite'));
  expect(seen).toEqual(changeTypesOf('checkin', 'session', 'speaker', 'venue', 'exhibitor'));
});
