import { randomUUID } from 'node:crypto';
import { forwardedOperations } from '@event-api/contracts/http/operations';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './fixtures/bus.ts';
import { rawClient } from './raw-client.ts';
import { bodyFor, createRecords, pathOf } from './records.ts';

let bus: BusFixture;
let call: HttpClient;
let at: (url: string) => HttpClient;

beforeAll(async () => {
  bus = await createBusFixture();
  ({ at } = await bus.newUnit());
  call = at(bus.gatewayUrl);
});
afterAll(() => bus?.stop());

const post = (path: string, body: unknown, key: string, client = call): Promise<TestResponse> =>
  client('POST', path, { body, headers: { 'idempotency-key': key } });

const isReplay = ({ headers }: TestResponse): boolean => headers['idempotent-replayed'] === 'true';

const event = (name = 'Summit') => ({ name, timezone: 'UTC' });

const posts = forwardedOperations
  .filter(({ method }) => method === 'POST')
  .map((operation) => ({ name: operation.config.operationId, operation }));

describe('a POST retried with its Idempotency-Key', () => {
  test.each(posts)('$name replays the first response', async ({ operation }) => {
    const { unitId, secret } = await bus.newKey();
    const request = rawClient(bus.gatewayUrl, secret);
    const records = await createRecords([operation], request, (command, input) =>
      bus.operator.callUnchecked(command, { businessUnitId: unitId, ...input }),
    );
    const wanted = {
      method: 'POST',
      path: pathOf(operation, records),
      headers: { 'idempotency-key': randomUUID() },
      ...(operation.schema.body && { body: JSON.stringify(bodyFor(operation, records)) }),
    };
    const first = await request(wanted);
    const again = await request(wanted);
    request.close();
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(first.status).toBeLessThan(300);
    const hidden = operation.config.secretInResponse?.map((field) => [field, null]) ?? [];
    expect(again).toMatchObject({
      status: first.status,
      body: JSON.stringify({ ...JSON.parse(first.body), ...Object.fromEntries(hidden) }),
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(again.headers.location).toBe(first.headers.location);
  });

  test('creates one record from a hundred concurrent requests: the others get 409 or the replayed response', async () => {
    const key = randomUUID();
    const name = `Once ${key}`;
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => post('/v1/events', event(name), key)),
    );
    const created = responses.filter((response) => response.status === 201 && !isReplay(response));
    expect(created).toHaveLength(1);
    for (const response of responses.filter((each) => !created.includes(each))) {
      if (response.status === 409) {
        expect(response.body.error.status).toBe('ABORTED');
        expect(response.headers['retry-after']).toBe('1');
      } else
        expect([response.status, isReplay(response), response.body]).toEqual([
          201,
          true,
          created[0]?.body,
        ]);
    }
    const { events } = await expectStatus(call, ['GET', '/v1/events']);
    expect(events.filter((one: { name: string }) => one.name === name)).toHaveLength(1);
  });

  test('is rejected with 400 for another body or another path', async () => {
    const key = randomUUID();
    const { path } = await openEvent(call);
    const other = await openEvent(call);
    expect((await post(`${path}/addons`, { name: 'Lunch' }, key)).status).toBe(201);
    for (const [where, body] of [
      [path, { name: 'Dinner' }],
      [other.path, { name: 'Lunch' }],
    ] as const) {
      const response = await post(`${where}/addons`, body, key);
      expect([response.status, response.body.error.details[0].field]).toEqual([
        400,
        'Idempotency-Key',
      ]);
    }
    expect((await expectStatus(call, ['GET', `${path}/addons`])).addons).toHaveLength(1);
  });

  test('is rejected with 400 for another operation, also of another service', async () => {
    const key = randomUUID();
    const { path, typeId } = await openEvent(call);
    const body = { email: 'ada@example.com', registrationTypeId: typeId };
    expect((await post('/v1/events', event(), key)).status).toBe(201);
    for (const response of [
      await post(`${path}/addons`, { name: 'Lunch' }, key),
      await post(`${path}/registrations`, body, key),
    ]) {
      expect([response.status, response.body.error.details[0].field]).toEqual([
        400,
        'Idempotency-Key',
      ]);
    }
    expect(isReplay(await post('/v1/events', event(), key))).toBe(true);
    const { registrations } = await expectStatus(call, ['GET', `${path}/registrations`]);
    expect(registrations).toEqual([]);
  });

  test('may be used for another service after a rejection, which changed nothing', async () => {
    const key = randomUUID();
    const { path, typeId } = await openEvent(call);
    expect((await post('/v1/events', { name: '' }, key)).status).toBe(400);
    const body = { email: 'ada@example.com', registrationTypeId: typeId };
    await eventually(async () => {
      expect((await post(`${path}/registrations`, body, key)).status).toBe(201);
    });
  });

  test('is a new request for another business unit', async () => {
    const key = randomUUID();
    const stranger = (await bus.newUnit()).at(bus.gatewayUrl);
    const first = await post('/v1/events', event(), key);
    const second = await post('/v1/events', event(), key, stranger);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
  });

  test('replays the response for a body with reordered members', async () => {
    const key = randomUUID();
    const first = await post('/v1/events', { name: 'Summit', timezone: 'UTC' }, key);
    const second = await post('/v1/events', { timezone: 'UTC', name: 'Summit' }, key);
    expect([second.status, isReplay(second), second.body]).toEqual([201, true, first.body]);
  });

  test('is decided again after a rejection, and succeeds once a seat is free', async () => {
    const { path, typeId, typePath } = await openEvent(call, { capacity: 1 });
    const key = randomUUID();
    const body = { email: 'late@example.com', registrationTypeId: typeId };
    const first = { ...body, email: 'first@example.com' };
    const { registration } = await expectStatus(call, ['POST', `${path}/registrations`, first]);
    for (const _ of [1, 2]) {
      const rejected = await post(`${path}/registrations`, body, key);
      expect([rejected.status, isReplay(rejected)]).toEqual([412, false]);
    }
    await expectStatus(call, ['POST', `${path}/registrations/${registration.id}/cancel`]);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => post(`${path}/registrations`, body, key)),
    );
    const created = responses.filter((each) => each.status === 201 && !isReplay(each));
    expect(created).toHaveLength(1);
    const again = await post(`${path}/registrations`, body, key);
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, created[0]?.body]);
    expect(await expectStatus(call, ['GET', `${typePath}/availability`])).toMatchObject({
      confirmed: 1,
    });
  });

  test('is decided again after a 409 and after a 503', async () => {
    const { path, typeId } = await openEvent(call);
    const codes = `${path}/redemption-codes`;
    const body = { registrationTypeId: typeId, code: `C-${randomUUID().slice(0, 8)}` };
    await expectStatus(call, ['POST', codes, body]);
    const key = randomUUID();
    for (const _ of [1, 2]) {
      const response = await post(codes, body, key);
      expect([response.status, isReplay(response)]).toEqual([409, false]);
    }
    const order = randomUUID();
    const items = [{ itemType: 'registration_type', itemId: typeId }];
    await bus.processes.stop('registration');
    expect((await post(`${path}/orders`, { email: 'a@example.com', items }, order)).status).toBe(
      503,
    );
    await bus.processes.restart('registration');
    const placed = await post(`${path}/orders`, { email: 'a@example.com', items }, order);
    expect([placed.status, isReplay(placed)]).toEqual([201, false]);
  });

  test.each(['', 'x'.repeat(256)])(
    'is rejected with 400 for a key of invalid length: %s',
    async (key) => {
      const { status, body } = await post('/v1/events', event(), key);
      expect([status, body.error.details[0].field]).toEqual([400, 'Idempotency-Key']);
    },
  );

  test('is a new request after 24 hours', async () => {
    const key = randomUUID();
    const first = await post('/v1/events', event(), key);
    await bus.database.sql(
      `update catalog.idempotency_key set created_at = created_at - interval '24 hours' where key = '${key}'`,
    );
    const second = await post('/v1/events', event(), key);
    expect([second.status, isReplay(second), second.body.id === first.body.id]).toEqual([
      201,
      false,
      false,
    ]);
  });
});

describe('a request that failed after its effect', () => {
  test('creates no second order when it is retried, and the first one keeps its seat', async () => {
    const { path, typeId, typePath } = await openEvent(call, { capacity: 5 });
    const items = [{ itemType: 'registration_type', itemId: typeId }];
    const body = { email: 'ada@example.com', items };
    const key = randomUUID();
    const failed = await bus.failAt('commerce', 'place.saved', () =>
      post(`${path}/orders`, body, key),
    );
    expect(failed.status).toBe(500);
    const retry = await post(`${path}/orders`, body, key);
    expect(retry).toMatchObject({ status: 201, body: { status: 'held' } });
    const { orders } = await expectStatus(call, ['GET', `${path}/orders`]);
    expect(orders.map(({ id }: { id: string }) => id)).toEqual([retry.body.id]);
    expect(await expectStatus(call, ['GET', `${typePath}/availability`])).toMatchObject({
      held: 1,
    });
    const confirmed = await call('POST', `${path}/orders/${retry.body.id}/confirm`, { body: {} });
    expect(confirmed.body.status).toBe('paid');
  });
});

/** Service, path, body, list and name of the list for each case. */
const killCases = [
  ['catalog', async () => '/v1/events', event('Killed'), '/v1/events', 'events'],
  [
    'catalog',
    async () => `${(await openEvent(call)).path}/addons`,
    { name: 'Lunch' },
    null,
    'addons',
  ],
  [
    'registration',
    async () => `${(await openEvent(call, {})).path}/registrations`,
    null,
    null,
    'registrations',
  ],
  [
    'registration',
    async () => `${(await openEvent(call, {})).path}/redemption-codes`,
    null,
    null,
    'redemptionCodes',
  ],
  ['commerce', async () => `${(await openEvent(call, {})).path}/orders`, null, null, 'orders'],
] as const;

describe('a process killed', () => {
  const isFull = process.env.TEST_SIZE === 'full';
  const points = isFull
    ? ['idempotency.acquired', 'idempotency.effect', 'idempotency.stored']
    : ['idempotency.effect'];
  const firstOfEach = killCases.filter(
    ([service], place) => killCases.findIndex(([other]) => other === service) === place,
  );
  const chosen = isFull ? killCases : firstOfEach;
  test.each(chosen.flatMap((killCase) => points.map((point) => [point, ...killCase] as const)))(
    'at %s of %s has one effect after the retry',
    async (point, service, where, explicitBody, list, wrapper) => {
      const path = await where();
      const [type] =
        path === '/v1/events'
          ? []
          : (await expectStatus(call, ['GET', `${path.replace(/\/[^/]+$/, '')}/ticket-types`]))
              .ticketTypes;
      const bodies: Record<string, object> = {
        registrations: { email: 'ada@example.com', registrationTypeId: type?.id },
        redemptionCodes: { registrationTypeId: type?.id, count: 3 },
        orders: {
          email: 'ada@example.com',
          items: [{ itemType: 'registration_type', itemId: type?.id }],
        },
      };
      const body = explicitBody ?? bodies[wrapper];
      const count = async (): Promise<number> =>
        (await expectStatus(call, ['GET', list ?? path]))[wrapper].length;
      const before = await count();
      const key = randomUUID();
      await bus.killAt(service, point, () => post(path, body, key));
      // The killed process cannot release its lease, so the test expires it.
      await bus.database.sql(
        `update ${service}.idempotency_key set lease_until = clock_timestamp() - interval '1 second' where key = '${key}'`,
      );
      const retry = await post(path, body, key);
      expect([retry.status, isReplay(retry)]).toEqual([201, point === 'idempotency.stored']);
      expect(await count()).toBe(before + (wrapper === 'redemptionCodes' ? 3 : 1));
      const third = await post(path, body, key);
      expect([third.status, isReplay(third), third.body]).toEqual([201, true, retry.body]);
    },
    180_000,
  );

  test('while it places an order reserves seats again once when it is retried after the hold has expired', async () => {
    const { path, typeId, typePath } = await openEvent(call, { capacity: 5 });
    const items = [{ itemType: 'registration_type', itemId: typeId }];
    const [key, body] = [randomUUID(), { email: 'ada@example.com', items }];
    const killAndExpireLease = async (point: string) => {
      await bus.killAt('commerce', point, () => post(`${path}/orders`, body, key));
      await bus.database.sql(
        `update commerce.idempotency_key set lease_until = clock_timestamp() - interval '1 second' where key = '${key}'`,
      );
    };
    await killAndExpireLease('place.reserved');
    await bus.database.sql(
      `update registration.seat_reservation set expires_at = date_trunc('milliseconds', clock_timestamp()) where event_id = '${path.split('/').at(-1)}'`,
    );
    // Reserves again and dies before the order is written. The retry writes the order for that
    // reservation.
    await killAndExpireLease('place.locked');
    const retry = await post(`${path}/orders`, body, key);
    expect([retry.status, isReplay(retry)]).toEqual([201, false]);
    expect(await expectStatus(call, ['GET', `${typePath}/availability`])).toMatchObject({
      held: 1,
    });
    const { orders } = await expectStatus(call, ['GET', `${path}/orders`]);
    expect(orders.map(({ id }: { id: string }) => id)).toEqual([retry.body.id]);
    const confirmed = await call('POST', `${path}/orders/${retry.body.id}/confirm`, { body: {} });
    expect(confirmed.body.status).toBe('paid');
  });

  test('while it approves a registration has approved it once, and the retry returns it', async () => {
    const { path, typeId } = await openEvent(call, { requiresApproval: true });
    const body = { email: 'ada@example.com', registrationTypeId: typeId };
    const { registration } = await expectStatus(call, ['POST', `${path}/registrations`, body]);
    const key = randomUUID();
    const approve = `${path}/registrations/${registration.id}/approve`;
    await bus.killAt('registration', 'idempotency.effect', () => post(approve, undefined, key));
    expect((await post(approve, undefined, key)).body.error.status).toBe('ABORTED');
    await bus.database.sql(
      `update registration.idempotency_key set lease_until = now() - interval '1 second' where key = '${key}'`,
    );
    const retry = await post(approve, undefined, key);
    expect([retry.status, retry.body.status]).toEqual([200, 'confirmed']);
  });
});

test('a hundred concurrent requests create more than one event without the guard', async () => {
  bus.setSwitches('catalog', 'off:idempotency');
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => post('/v1/events', event(), key)),
  );
  // A busy machine responds to some of them with 503.
  const created = responses.filter(({ status }) => status === 201);
  expect(new Set(created.map(({ body }) => body.id)).size).toBe(created.length);
  expect(created.length).toBeGreaterThan(1);
});
