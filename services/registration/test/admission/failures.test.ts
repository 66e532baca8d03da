import { eventually } from '@event-api/platform/testing/eventually';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { atStep } from '@event-api/platform/testing/switches/switches';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createReserveRequest,
  createTestEvent,
  createTestTicketType,
  expireReservation,
  someEmail,
} from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';
import { holdLock, someWaitForLock } from './hold-lock.ts';
import { type CutProxy, startCutProxy } from './tcp-proxy.ts';

const maxWaitMs = 1000;
const maxWaiting = 4;

let service: TestRegistration;
let sql: TestRegistration['sql'];
let proxy: CutProxy;
beforeAll(async () => {
  proxy = await startCutProxy(new URL(await postgresUrl()));
  service = await startRegistration({
    replicas: 2,
    admission: { maxWaitMs, maxWaiting },
    databaseUrl: proxy.urlOf,
  });
  sql = service.sql;
});
afterAll(async () => {
  await service?.close();
  await proxy?.close();
});
afterEach(async () => expect(await violatedInvariants(sql)).toEqual({}));

async function createFixture(fields: object = {}) {
  const scope = await createTestEvent(sql);
  const typeId = await createTestTicketType(sql, scope, { capacity: 100, ...fields });
  const call = await service.as(scope.businessUnitId);
  const register = (more: object = {}) =>
    call('POST', `/v1/events/${scope.eventId}/registrations`, {
      body: { email: someEmail(), registrationTypeId: typeId, ...more },
    });
  const rows = async () => {
    const where = 'select id from registration.registration where event_id = $1';
    return (await sql(where, [scope.eventId])).length;
  };
  return { scope, typeId, register, rows };
}

const unavailable = { status: 503, body: { error: { status: 'UNAVAILABLE' } } };

describe('a queue', () => {
  test('that is full rejects the next request at once and writes nothing', async () => {
    const { scope, typeId, register, rows } = await createFixture();
    const free = await holdLock(service, scope);
    const first = register();
    await someWaitForLock(service);
    const { admission } = service.replica(0);
    const waiting = Array.from({ length: maxWaiting }, () => {
      const input = createReserveRequest(scope, typeId, [someEmail()]);
      return admission.submit<'reserve'>(scope, { kind: 'reserve', input });
    });
    const rejected = await register();
    expect(rejected).toMatchObject(unavailable);
    expect(rejected.headers['retry-after']).toBe('1');
    await free();
    expect((await first).status).toBe(201);
    const outcomes = (await Promise.all(waiting)).map(({ result }) => result.outcome);
    expect(outcomes).toEqual(Array(maxWaiting).fill('reserved'));
    expect(await rows()).toBe(1);
  });

  test('rejects a request that has waited too long, without a decision', async () => {
    const { scope, register, rows } = await createFixture();
    const free = await holdLock(service, scope);
    const first = register();
    await someWaitForLock(service);
    const sentAt = performance.now();
    const late = register();
    await eventually(() => expect(performance.now() - sentAt).toBeGreaterThan(maxWaitMs + 100));
    await free();
    expect((await first).status).toBe(201);
    expect(await late).toMatchObject(unavailable);
    expect(await rows()).toBe(1);
  });

  test('of one event does not block other events', async () => {
    const [stuck, other] = [await createFixture(), await createFixture()];
    const free = await holdLock(service, stuck.scope);
    const waiting = stuck.register();
    await someWaitForLock(service);
    expect((await other.register()).status).toBe(201);
    await free();
    expect((await waiting).status).toBe(201);
  });

  test('rejects all queued requests of a locked event together, not one after the other', async () => {
    const { scope, register, rows } = await createFixture();
    const free = await holdLock(service, scope);
    // The batch waits two seconds for the lock; the requests behind it exceed their maximum wait in
    // that time. If each of them waited for the lock again, this would take twice as long.
    await eventually(async () => {
      const first = register();
      await someWaitForLock(service);
      const startedAt = performance.now();
      const others = [register(), register(), register()];
      for (const response of await Promise.all([first, ...others])) {
        expect(response).toMatchObject(unavailable);
      }
      expect(performance.now() - startedAt).toBeLessThan(3500);
    });
    await free();
    expect(await rows()).toBe(0);
  });
});

describe('a batch', () => {
  test('that loses its connection before the commit changes nothing and is not retried', async () => {
    const { register, rows } = await createFixture();
    const email = someEmail();
    proxy.cutAtCommit('before');
    expect(await register({ email })).toMatchObject(unavailable);
    expect(await rows()).toBe(0);
    expect((await register({ email })).status).toBe(201);
  });

  test('that loses its connection during the commit may be committed and is not retried', async () => {
    const { register, rows } = await createFixture();
    const email = someEmail();
    proxy.cutAtCommit('after');
    expect(await register({ email })).toMatchObject(unavailable);
    await eventually(async () => expect(await rows()).toBe(1));
    expect(await register({ email })).toMatchObject({ status: 200, body: { created: false } });
  });

  test('whose backend is terminated changes nothing', async () => {
    const { register, rows } = await createFixture();
    atStep('admission.written', async () => {
      atStep('admission.written', () => {});
      const others = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'registration' and pid <> pg_backend_pid()`;
      await sql(others);
    });
    expect(await register()).toMatchObject(unavailable);
    expect(await rows()).toBe(0);
    await eventually(async () => expect((await register()).status).toBe(201));
  });

  test('in which one request violates an index still decides the others', async () => {
    const { scope, register, rows } = await createFixture();
    await sql(`create unique index twins on registration.registration (name) where name = 'Twin'`);
    const free = await holdLock(service, scope);
    const first = register();
    await someWaitForLock(service);
    const names = ['Ada', 'Twin', 'Twin', 'Bob'];
    const responses = names.map((name) => register({ name }));
    await free();
    expect((await first).status).toBe(201);
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 201, 500]);
    expect([statuses[0], statuses[3]]).toEqual([201, 201]);
    expect(await rows()).toBe(4);
    await sql('drop index registration.twins');
  });
});

describe('the job', () => {
  let watched: TestRegistration;
  beforeAll(async () => {
    watched = await startRegistration({ replicas: 2, promoteIntervalMs: 50 });
  });
  afterAll(() => watched?.close());

  /** An event with a reservation that expires now. */
  async function createDueEvent(
    status: string,
  ): Promise<{ scope: Awaited<ReturnType<typeof createTestEvent>>; reservationId: string }> {
    const scope = await createTestEvent(watched.sql);
    const typeId = await createTestTicketType(watched.sql, scope, { capacity: 5 });
    const input = createReserveRequest(scope, typeId, [someEmail()], { reservationMs: 1 });
    const { admission } = watched.replica(0);
    const free = await admission.submit(scope, { kind: 'reserve', input });
    expect(free.result.outcome).toBe('reserved');
    await watched.sql('update registration.event_projection set status = $2 where id = $1', [
      scope.eventId,
      status,
    ]);
    return { scope, reservationId: input.reservationId };
  }

  const isExpired = (reservationId: string) =>
    eventually(async () => {
      const rows = await watched.sql(
        'select state from registration.seat_reservation where id = $1',
        [reservationId],
      );
      expect(rows).toEqual([{ state: 'expired' }]);
    });

  test.each(['published', 'archived'])(
    'closes expired reservations of a %s event without requests',
    async (status) => {
      const { reservationId } = await createDueEvent(status);
      await isExpired(reservationId);
      expect(await violatedInvariants(watched.sql)).toEqual({});
    },
  );

  test('processes other events while one is locked', async () => {
    const stuckScope = await createTestEvent(watched.sql);
    const typeId = await createTestTicketType(watched.sql, stuckScope, { capacity: 5 });
    const input = createReserveRequest(stuckScope, typeId, [someEmail()]);
    await watched.replica(0).admission.submit(stuckScope, { kind: 'reserve', input });
    const free = await holdLock(watched, stuckScope);
    await expireReservation(watched.sql, input.reservationId);
    await someWaitForLock(watched, 2);
    const { reservationId } = await createDueEvent('published');
    await isExpired(reservationId);
    await free();
    await isExpired(input.reservationId);
  });
});
