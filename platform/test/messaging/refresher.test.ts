import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unavailable } from '../../src/core/errors.ts';
import { createSnapshotClient } from '../../src/http/snapshot-client.ts';
import type { OriginStatus } from '../../src/messaging/projections/origins.ts';
import {
  createProjectionRefresher,
  type ProjectionRefresher,
} from '../../src/messaging/projections/refresher.ts';
import type { SnapshotClient } from '../../src/messaging/projections/snapshot-client.ts';
import { runInScope } from '../../src/messaging/read-after/scope.ts';
import { eventually } from '../../testing/eventually.ts';
import { httpClient } from '../../testing/http-client.ts';
import { type BusHarness, createBusHarness, type Owner } from './harness.ts';
import { itemProjection } from './items.ts';

let harness: BusHarness;
let owner: Owner;
let real: SnapshotClient;
beforeAll(async () => {
  harness = await createBusHarness();
  owner = await harness.owner();
  const signer = await harness.callers.signer('registration');
  real = createSnapshotClient({ url: owner.url, signer });
});
afterAll(() => harness?.close());

const record = (id: string) => ({ type: 'catalog.thing', businessUnitId: 'unit', id });
const createRefresher = (
  own: Partial<SnapshotClient> = {},
  status: OriginStatus = 'confirmed',
): ProjectionRefresher =>
  createProjectionRefresher({
    trust: { statusOf: async () => status },
    db: owner.db,
    projections: [itemProjection],
    snapshotClients: { catalog: { ...real, ...own } },
  });
const projectionOf = async (id: string) =>
  (await harness.sql('select size from registration.thing_projection where id = $1', [id]))[0];

describe('the refresher', () => {
  test('stores a fetched record only if it is newer', async () => {
    await owner.put('fetched', { size: 5 });
    expect(await createRefresher().refresh([record('fetched')])).toBe(true);
    expect(await projectionOf('fetched')).toEqual({ size: 5 });
    expect(await createRefresher().refresh([record('fetched')])).toBe(false);
    await harness.sql(
      "update registration.thing_projection set version = version + 1, size = 6 where id = 'fetched'",
    );
    expect(await createRefresher().refresh([record('fetched')])).toBe(false);
    expect(await projectionOf('fetched')).toEqual({ size: 6 });
  });

  test('does not distinguish a record of another unit from a missing one', async () => {
    await owner.put('somebodys');
    const otherTenant = { ...record('somebodys'), businessUnitId: 'another unit' };
    expect(await createRefresher().refresh([otherTenant, record('nothing')])).toBe(false);
    expect(await projectionOf('somebodys')).toBeUndefined();
  });

  test('runs one fetch per record; later callers share the next one', async () => {
    await owner.put('popular', { size: 1 });
    const read = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    let requests = 0;
    const refresher = createRefresher({
      async read(...args): Promise<Snapshot | null> {
        requests += 1;
        const snapshot = await real.read(...args);
        // Its response is already outdated when the others arrive.
        read.resolve();
        if (requests === 1) await first.promise;
        return snapshot;
      },
    });
    const early = refresher.refresh([record('popular')]);
    await read.promise;
    await owner.put('popular', { size: 2 });
    const late = Array.from({ length: 50 }, () => refresher.refresh([record('popular')]));
    first.resolve();
    await early;
    expect(await Promise.all(late)).toEqual(Array(50).fill(true));
    expect(await projectionOf('popular')).toEqual({ size: 2 });
    expect(requests).toBe(2);
    await refresher.refresh([record('popular')]);
    expect(requests).toBe(3);
  });

  test('returns 503 after a second from an unresponsive owner, and from an unavailable one', async () => {
    const hanging = createRefresher({ read: () => new Promise(() => {}) });
    // Two sequential waits would take two seconds, even on an idle machine.
    await eventually(async () => {
      const begun = performance.now();
      const both = [hanging.refresh([record('x')]), hanging.refresh([record('x')])];
      const codes = both.map((one) => one.catch(({ code }) => code));
      expect(await Promise.all(codes)).toEqual([503, 503]);
      expect(performance.now() - begun).toBeLessThan(1900);
    });
    const signer = await harness.callers.signer('registration');
    const unavailable = createSnapshotClient({ url: 'http://127.0.0.1:9', signer });
    await expect(createRefresher(unavailable).refresh([record('x')])).rejects.toMatchObject({
      code: 503,
    });
  });

  test('sends the token of the request, and the owner does not wait for it', async () => {
    const received: unknown[] = [];
    owner.http.server.on('request', ({ headers }) => received.push(headers['x-read-after']));
    const required = { streamCreatedAt: '2999-01-01T00:00:00Z', sequences: { registration: 7 } };
    await runInScope({ required, produced: null }, () =>
      createRefresher().refresh([record('fetched')]),
    );
    expect(received).toEqual(['2999-01-01T00:00:00Z;registration=7']);
    // An owner that waits uses its whole time-out each time.
    await eventually(async () => {
      const begun = performance.now();
      await runInScope({ required, produced: null }, () =>
        createRefresher().refresh([record('fetched')]),
      );
      expect(performance.now() - begun).toBeLessThan(900);
    });
  });
});

describe('projections that are not confirmed', () => {
  /** A row that is newer than its owner's record, as a database that was restored leaves it. */
  async function ghost(id: string): Promise<void> {
    await harness.sql(
      `insert into registration.thing_projection (id, business_unit_id, event_id, version, name, size)
       values ($1, 'unit', 'evt', 9000000000000000, 'ghost', 9)`,
      [id],
    );
  }
  const away = { read: () => Promise.reject(unavailable(new Error('away'))) };

  test.each(['unconfirmed', 'different'] as const)(
    'are replaced by the response of the owner whatever their version: %s',
    async (status) => {
      const [existing, missing] = [`existing ${status}`, `missing ${status}`];
      await owner.put(existing, { size: 5 });
      for (const id of [existing, missing]) await ghost(id);
      const refresher = createRefresher({}, status);
      expect(await refresher.confirm([record(existing), record(missing)])).toBe(true);
      expect(await projectionOf(existing)).toEqual({ size: 5 });
      expect(await projectionOf(missing)).toBeUndefined();
      await expect(refresher.require(record(missing))).rejects.toMatchObject({ code: 404 });
    },
  );

  test('are not replaced while they are confirmed', async () => {
    await ghost('trusted');
    expect(await createRefresher().confirm([record('trusted')])).toBe(false);
    await createRefresher().refresh([record('trusted')]);
    expect(await projectionOf('trusted')).toEqual({ size: 9 });
  });

  test('decide while the owner is away, unless they are known to differ', async () => {
    await ghost('away');
    const unconfirmed = createRefresher(away, 'unconfirmed');
    expect(await unconfirmed.confirm([record('away')])).toBe(false);
    await unconfirmed.require(record('away'));
    const different = createRefresher(away, 'different');
    await expect(different.confirm([record('away')])).rejects.toMatchObject({ code: 503 });
    expect(await projectionOf('away')).toEqual({ size: 9 });
  });

  test('keep a row of another unit, and one that a message has changed meanwhile', async () => {
    await owner.put('raced', { size: 5 });
    await ghost('of another');
    const otherTenant = { ...record('of another'), businessUnitId: 'another unit' };
    const refresher = createRefresher({}, 'different');
    await refresher.confirm([otherTenant]);
    expect(await projectionOf('of another')).toEqual({ size: 9 });
    const raced = createRefresher(
      {
        async read() {
          const { version } = (await harness.items()).find(({ id }) => id === 'raced') ?? {};
          await harness.sql(
            `insert into registration.thing_projection as t (id, business_unit_id, event_id, version, name, size)
             values ('raced', 'unit', 'evt', $1, 'message', 7)
             on conflict (id) do update set version = t.version + 1`,
            [version],
          );
          return null;
        },
      },
      'different',
    );
    expect(await raced.confirm([record('raced')])).toBe(true);
    expect(await projectionOf('raced')).toEqual({ size: 7 });
  });
});

describe('a required record', () => {
  test('is fetched when it has no projection, and cached afterwards', async () => {
    await owner.put('required');
    let requests = 0;
    const refresher = createRefresher({
      async read(...args) {
        requests += 1;
        return real.read(...args);
      },
    });
    await refresher.require(record('required'));
    expect(await projectionOf('required')).toBeDefined();
    await harness.sql("delete from registration.thing_projection where id = 'required'");
    await refresher.require(record('required'));
    expect(requests).toBe(1);
    await createRefresher().require(record('required'));
    expect(await projectionOf('required')).toBeDefined();
  });

  test('causes the same 404 when it belongs to another unit or does not exist', async () => {
    await owner.put('theirs');
    const refresher = createRefresher();
    await refresher.require(record('theirs'));
    const otherTenant = { ...record('theirs'), businessUnitId: 'another unit' };
    const results = await Promise.allSettled([
      refresher.require(otherTenant),
      refresher.require(record('none')),
    ]);
    const notThere = { status: 'rejected', reason: { code: 404, message: 'Not found' } };
    expect(results).toMatchObject([notThere, notThere]);
  });

  test('causes a 503 when its owner does not respond', async () => {
    const refresher = createRefresher({ read: () => new Promise(() => {}) });
    await expect(refresher.require(record('waited for'))).rejects.toMatchObject({ code: 503 });
  });
});

describe("the owner's snapshots", () => {
  let clientOf: (
    issuer: string,
    audience: 'api' | 'service',
  ) => Promise<ReturnType<typeof httpClient>>;
  beforeEach(() => {
    clientOf = async (issuer, audience) => {
      const signer = await harness.callers.signer(issuer);
      const token = await signer.sign({ audience, businessUnitId: 'unit' });
      return httpClient(owner.url, { 'x-caller': token });
    };
  });

  test.each([
    '/internal/snapshots/catalog.thing',
    '/internal/snapshots/catalog.thing/unit/fetched',
  ])('are for services only: %s', async (path) => {
    const service = await clientOf('registration', 'service');
    expect((await service('GET', path)).status).toBe(200);
    const integrator = await clientOf('gateway', 'api');
    expect((await integrator('GET', path)).status).toBe(401);
    expect((await httpClient(owner.url)('GET', path)).status).toBe(401);
  });

  test('exist only for its own types', async () => {
    const service = await clientOf('registration', 'service');
    expect((await service('GET', '/internal/snapshots/catalog.elephant')).status).toBe(404);
    expect((await service('GET', '/internal/snapshots/catalog.thing/unit/no')).status).toBe(404);
  });
});
