import { randomUUID } from 'node:crypto';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus, openEvent } from './fixtures/bus.ts';
import { type PairedGateways, startPairedGateways } from './paired-gateways.ts';

let bus: BusFixture;
let unitId: string;
let at: PairedGateways['at'];
let gateway: PairedGateways['gateway'];
beforeAll(async () => {
  ({ bus, unitId, at, gateway } = await startPairedGateways());
});
afterAll(() => bus?.stop());

const pairs = process.env.TEST_SIZE === 'full' ? 10_000 : 200;
const lanes = 4;

const randomEmail = () => `${randomUUID()}@example.com`;

/** A description of a stale read, or null if the read returned the write. */
type Seen = string | null;

/**
 * Runs `count` pairs of a write at one gateway and a read at the other, in concurrent lanes with
 * events of their own. Returns the stale reads. Errors: fewer pairs than `count`.
 */
async function inLanes(count: number, work: (lane: number, turns: number) => Promise<Seen[]>) {
  const turns = Math.ceil(count / lanes);
  const ofLanes = await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane, turns)));
  const seen = ofLanes.flat();
  if (seen.length < count) throw new Error(`${seen.length} pairs instead of ${count}`);
  return seen.filter((stale) => stale !== null);
}

/** Page size of the list, and therefore the maximum capacity in one event. */
const listed = 100;

/** Raises a capacity step by step. After each step it lists the confirmed registrations. */
async function raise(lane: number, times: number): Promise<Seen[]> {
  const type = { capacity: 1, allowWaitlist: true };
  const { typeId, path, typePath } = await openEvent(gateway(lane), type);
  for (let i = 0; i <= times; i++) {
    const body = { registrationTypeId: typeId, email: randomEmail() };
    await expectStatus(gateway(lane), ['POST', `${path}/registrations`, body], 201);
  }
  const seen: Seen[] = [];
  for (let capacity = 2; capacity <= times + 1; capacity++) {
    await expectStatus(gateway(capacity), ['PATCH', typePath, { capacity }]);
    const list = `${path}/registrations?status=confirmed&limit=${listed}`;
    const { registrations } = await expectStatus(gateway(capacity + 1), ['GET', list]);
    const { length } = registrations;
    seen.push(length === capacity ? null : `${length}/${capacity}`);
  }
  return seen;
}

describe('two gateways and two replicas of each service', () => {
  test('a registration at one gateway is counted at the other', async () => {
    const stale = await inLanes(pairs * 0.75, async (lane, turns) => {
      const { typeId, path, typePath } = await openEvent(gateway(lane));
      const seen: Seen[] = [];
      for (let turn = 1; turn <= turns; turn++) {
        const body = { registrationTypeId: typeId, email: randomEmail() };
        await expectStatus(gateway(turn), ['POST', `${path}/registrations`, body], 201);
        const { counts } = await expectStatus(gateway(turn + 1), ['GET', typePath]);
        seen.push(counts.confirmed === turn ? null : `${counts.confirmed} instead of ${turn}`);
      }
      return seen;
    });
    expect(stale).toEqual([]);
  }, 600_000);

  test('a capacity raised at one gateway has promoted registrations when the other lists them', async () => {
    const stale = await inLanes(pairs * 0.2, async (lane, turns) => {
      const seen: Seen[] = [];
      while (seen.length < turns) {
        seen.push(...(await raise(lane, Math.min(turns - seen.length, listed - 1))));
      }
      return seen;
    });
    expect(stale).toEqual([]);
  }, 600_000);

  test('an event archived at one gateway accepts no registration at the other', async () => {
    const stale = await inLanes(pairs * 0.05, async (lane, turns) => {
      const seen: Seen[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const { typeId, path } = await openEvent(gateway(lane));
        await expectStatus(gateway(turn), ['POST', `${path}/archive`]);
        const body = { registrationTypeId: typeId, email: randomEmail() };
        const response = await gateway(turn + 1)('POST', `${path}/registrations`, { body });
        // If the owner is too busy to respond in time, the result is 503 and nothing is registered
        // either.
        const { status, body: rejection } = response;
        const isFresh =
          status === 503 || rejection.error?.details?.[0]?.reason === 'EVENT_ARCHIVED';
        seen.push(isFresh ? null : JSON.stringify(rejection));
      }
      return seen;
    });
    expect(stale).toEqual([]);
  }, 600_000);

  test('reads stay consistent when one replica of each service is killed', async () => {
    const { typeId, path, typePath } = await openEvent(gateway(1));
    await bus.processes.stop('catalog', 'SIGKILL');
    await bus.processes.stop('registration', 'SIGKILL');
    for (let turn = 1; turn <= 10; turn++) {
      const body = { registrationTypeId: typeId, email: randomEmail() };
      await expectStatus(gateway(1), ['POST', `${path}/registrations`, body], 201);
      await eventually(async () => {
        const { counts } = await expectStatus(gateway(1), ['GET', typePath]);
        expect(counts.confirmed).toBe(turn);
      });
    }
    await bus.processes.restart('catalog');
    await bus.processes.restart('registration');
  });
});

describe('read-after tokens', () => {
  const projectionsLock = 'catalog projections';

  /**
   * Acquires the leader lock of catalog's projections from both processes, so that neither consumes
   * the stream.
   */
  async function pauseProjections() {
    const database = bus.database.of('catalog');
    const session = await database.session();
    const taken = session.sql('select pg_advisory_lock(hashtext($1))', [projectionsLock]);
    await eventually(async () => {
      const waiting = await database.sql(
        `select 1 from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    await database.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [projectionsLock],
    );
    await taken;
    return session.end;
  }

  test('make a read wait up to a second for a stalled projection; without the token it returns old data', async () => {
    const apart = await startPrivateRedis();
    const third = await bus.processes.startCopy(bus.specOf('gateway'), 'gateway 3', {
      REDIS_URL: apart.url,
    });
    const otherClient = at(third.apiUrl);
    const { typeId, path, typePath } = await openEvent(gateway(0));
    const register = () =>
      expectStatus(gateway(0), [
        'POST',
        `${path}/registrations`,
        { registrationTypeId: typeId, email: randomEmail() },
      ]);
    const timed = async (client: HttpClient) => {
      const begun = performance.now();
      const { counts } = await expectStatus(client, ['GET', typePath]);
      return { confirmed: counts.confirmed as number, ms: performance.now() - begun };
    };
    let registered = 0;
    const registerOne = async () => {
      await register();
      registered += 1;
    };
    await registerOne();
    expect((await timed(gateway(1))).confirmed).toBe(1);
    // A read that waits takes at least 900 ms. On a busy machine any read can be slow, but not each
    // of ten.
    const fastestOfTen = async (client: HttpClient) => {
      const durations = [];
      for (let n = 0; n < 10; n++) durations.push((await timed(client)).ms);
      return Math.min(...durations);
    };
    const resume = await pauseProjections();
    // The former leader may still complete a batch, also between these reads.
    await eventually(async () => {
      await registerOne();
      expect((await timed(otherClient)).confirmed).toBeLessThan(registered);
      expect(await fastestOfTen(otherClient)).toBeLessThan(900);
      const waiting = await timed(gateway(1));
      // It returns although the projection is stalled, so the wait has an end.
      expect(waiting.confirmed).toBeLessThan(registered);
      expect(waiting.ms).toBeGreaterThan(900);
      expect(await fastestOfTen(gateway(1))).toBeLessThan(900);
    });

    await resume();
    await eventually(async () => expect((await timed(gateway(1))).confirmed).toBe(registered));
    await registerOne();
    expect((await timed(gateway(1))).confirmed).toBe(registered);
    await bus.processes.stop('gateway 3');
    await apart.close();
  });

  test('are stored by operator commands where the gateways load them', async () => {
    const { createPerk } = await import('@event-api/contracts/operator/perks');
    const { openReadAfterStore } = await import('@event-api/tools/admin/read-after-store');
    const { eventId } = await openEvent(gateway(0));
    const fresh = await openReadAfterStore(bus.redisUrl);
    const scope = { businessUnitId: unitId, eventId };
    const before = (await fresh.load(scope))?.sequences.catalog ?? 0;
    await bus.operator.call(createPerk, { ...scope, name: 'Lounge' });
    expect((await fresh.load(scope))?.sequences.catalog).toBeGreaterThan(before);
    fresh.close();
  });
});

test('the tests raised no alarm', () => {
  expect(bus.alarms()).toEqual([]);
});
