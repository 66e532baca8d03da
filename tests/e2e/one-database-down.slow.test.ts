import { randomUUID } from 'node:crypto';
import { createKey, revokeKey } from '@event-api/contracts/operator/keys';
import { listAdministrators } from '@event-api/contracts/operator/members';
import { type ProcessName, processNames } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { OperatorError } from '@event-api/tools/admin/operator-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './fixtures/bus.ts';
import {
  type OwnDatabaseServers,
  startServerPerProcess,
  startSharedServer,
} from './fixtures/own-servers.ts';

/** What an attempt got: a status, and the code of its error. */
interface Outcome {
  status: number;
  code?: string;
  retryAfter?: string | undefined;
}

/** Waits until the gateway has in memory what keys exist now: it reads this revocation after them. */
async function untilKeysAreRead(bus: BusFixture): Promise<void> {
  const { keyId, secret } = await bus.newKey();
  const call = httpClient(bus.gatewayUrl, { authorization: `Bearer ${secret}` });
  await expectStatus(call, ['GET', '/v1/changes/head']);
  await bus.operator.call(revokeKey, { id: keyId });
  await eventually(async () => expect((await call('GET', '/v1/changes/head')).status).toBe(401));
}

/** Records that exist before a database is lost, and the requests about them. */
async function createWorld(bus: BusFixture) {
  const { unitId, secret } = await bus.newKey();
  const clientWith = (key: string) =>
    httpClient(bus.gatewayUrl, { authorization: `Bearer ${key}` });
  const call = clientWith(secret);
  const unused = await bus.newKey();
  await untilKeysAreRead(bus);
  const event = await openEvent(call, { capacity: 100 });
  const withoutOrders = await openEvent(call);
  const { path, typePath, typeId } = event;
  const people: { id: string; checkinCode: string }[] = [];
  for (let count = 0; count < 4; count++) {
    const { registration } = await expectStatus(call, [
      'POST',
      `${path}/registrations`,
      registrationOf(typeId),
    ]);
    people.push(registration);
  }
  const orders: string[] = [];
  for (let count = 0; count < 6; count++) {
    const { id } = await expectStatus(call, ['POST', `${path}/orders`, orderOf(typeId)], 201);
    orders.push(id);
  }
  // A first check-in shows that the doors know the event, and the badges before it.
  await expectStatus(call, ['POST', `${path}/checkins`, scanOf(people.pop())], 201);
  await eventually(async () => {
    const { counts } = await expectStatus(call, ['GET', typePath]);
    expect(counts.confirmed).toBe(4);
  });
  const next = (): { id: string; checkinCode: string } => people.shift() ?? people[0] ?? noneLeft();
  const nextOrder = (): string => orders.shift() ?? noneLeft();
  const send =
    (method: string, at: string | (() => string), body?: () => object) =>
    async (): Promise<Outcome> =>
      outcomeOf(await call(method, typeof at === 'string' ? at : at(), { body: body?.() }));
  const attempts = {
    'an event is read': send('GET', path),
    'a ticket type is renamed': send('PATCH', typePath, () => ({ name: randomUUID() })),
    'a capacity is raised': send('PATCH', typePath, () => ({ capacity: 200 })),
    'a person registers': send('POST', `${path}/registrations`, () => registrationOf(typeId)),
    'registrations are listed': send('GET', `${path}/registrations`),
    'the availability is read': send('GET', `${typePath}/availability`),
    'a registration is cancelled': send('POST', () => `${path}/registrations/${next().id}/cancel`),
    'an order is placed': send('POST', `${path}/orders`, () => orderOf(typeId)),
    'the first order of an event is placed': send('POST', `${withoutOrders.path}/orders`, () =>
      orderOf(withoutOrders.typeId),
    ),
    'an order is read': send('GET', `${path}/orders/${orders[0]}`),
    'an order is confirmed': send(
      'POST',
      () => `${path}/orders/${nextOrder()}/confirm`,
      () => ({}),
    ),
    'an order is cancelled': send('POST', () => `${path}/orders/${nextOrder()}/cancel`),
    'a person is checked in': send('POST', `${path}/checkins`, () => scanOf(people.at(-1))),
    'check-ins are listed': send('GET', `${path}/checkins`),
    'the change feed is read': send('GET', '/v1/changes'),
    'a key is used for the first time': async () =>
      outcomeOf(await clientWith(unused.secret)('GET', '/v1/changes/head')),
    'a wrong key is refused': async () => {
      const wrong = `sk_live_${randomUUID().replaceAll('-', '')}`;
      const outcome = outcomeOf(await clientWith(wrong)('GET', '/v1/changes/head'));
      return outcome.status === 401 ? { status: 200 } : outcome;
    },
    'a key is created': () =>
      operatorOutcome(bus.operator.call(createKey, { businessUnitId: unitId, name: 'Another' })),
    'operators are listed': () => operatorOutcome(bus.operator.call(listAdministrators, {})),
  };
  return { ...event, call, people, attempts };
}

type World = Awaited<ReturnType<typeof createWorld>>;
type Attempt = keyof World['attempts'];

function noneLeft(): never {
  throw new Error('the test has used all records');
}
const registrationOf = (typeId: string) => ({
  registrationTypeId: typeId,
  email: `${randomUUID()}@example.com`,
});
const orderOf = (typeId: string) => ({
  email: `${randomUUID()}@example.com`,
  items: [{ itemType: 'registration_type', itemId: typeId }],
});
const scanOf = (person: { checkinCode: string } | undefined) => ({
  checkinCode: person?.checkinCode ?? noneLeft(),
  subjectType: 'event',
});

const outcomeOf = ({ status, body, headers }: Awaited<ReturnType<HttpClient>>): Outcome => ({
  status,
  code: body?.error?.status,
  retryAfter: headers['retry-after'],
});

const operatorOutcome = (called: Promise<unknown>): Promise<Outcome> =>
  called.then(
    () => ({ status: 200 }),
    (error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      return { status: error.status };
    },
  );

/** Every attempt, and the processes whose databases it needs. */
const needs: Record<Attempt, readonly ProcessName[]> = {
  'an event is read': ['catalog'],
  'a ticket type is renamed': ['catalog'],
  'a capacity is raised': ['catalog'],
  'a person registers': ['registration'],
  'registrations are listed': ['registration'],
  'the availability is read': ['registration'],
  'a registration is cancelled': ['registration'],
  'an order is placed': ['commerce', 'registration'],
  'the first order of an event is placed': ['commerce', 'registration', 'catalog'],
  'an order is read': ['commerce'],
  'an order is confirmed': ['commerce', 'registration'],
  'an order is cancelled': ['commerce', 'registration'],
  'a person is checked in': ['onsite'],
  'check-ins are listed': ['onsite'],
  'the change feed is read': ['changes'],
  // Gateways have the usable keys in memory, used or not.
  'a key is used for the first time': ['changes'],
  'a wrong key is refused': ['gateway'],
  'a key is created': ['gateway'],
  'operators are listed': ['console'],
};
const attempts = Object.keys(needs) as Attempt[];

/** A request is answered within this time; a service has eight seconds. */
const WITHIN_MS = 10_000;

async function tryTo(world: World, attempt: Attempt): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await world.attempts[attempt]();
  expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS);
  return outcome;
}

async function dependencyUp(bus: BusFixture, name: ProcessName): Promise<string | undefined> {
  const response = await fetch(`${bus.internalUrls[name]}/metrics`);
  return /^dependency_up\{[^}]*dependency="postgres"[^}]*\} (\d)/m.exec(await response.text())?.[1];
}

const upOfEach = async (bus: BusFixture) =>
  Object.fromEntries(
    await Promise.all(processNames.map(async (name) => [name, await dependencyUp(bus, name)])),
  );
const expectedUp = (down: readonly ProcessName[]) =>
  Object.fromEntries(processNames.map((name) => [name, down.includes(name) ? '0' : '1']));

describe('with a server for each process', () => {
  let servers: OwnDatabaseServers;
  let bus: BusFixture;
  beforeAll(async () => {
    servers = await startServerPerProcess();
    bus = await createBusFixture({ serverUrls: servers.urls, withConsole: true });
  }, 600_000);
  afterAll(async () => {
    await bus?.stop();
    await servers?.close();
  });

  const stop = (names: readonly ProcessName[]) =>
    Promise.all(names.map((name) => servers.of(name).stop()));
  const start = (names: readonly ProcessName[]) =>
    Promise.all(names.map((name) => servers.of(name).start()));

  describe.each(processNames)('while that of %s is down', (down) => {
    let world: World;
    beforeAll(async () => {
      world = await createWorld(bus);
      await stop([down]);
    }, 300_000);

    test('dependency_up says so for this process alone', () =>
      eventually(async () => expect(await upOfEach(bus)).toEqual(expectedUp([down]))));

    test.each(attempts.filter((attempt) => needs[attempt].includes(down)))(
      '503 when %s',
      async (attempt) => {
        const { status, code, retryAfter } = await tryTo(world, attempt);
        expect(status).toBe(503);
        if (code !== undefined) expect([code, retryAfter]).toEqual(['UNAVAILABLE', '1']);
      },
    );

    test.each(attempts.filter((attempt) => !needs[attempt].includes(down)))(
      'it works that %s',
      async (attempt) => {
        const { status } = await tryTo(world, attempt);
        expect([attempt, status]).toEqual([attempt, expect.toSatisfy((got) => got < 300)]);
      },
    );

    test('every process stays ready', async () => {
      const statuses = await Promise.all(
        processNames.map(async (name) => (await fetch(`${bus.internalUrls[name]}/readyz`)).status),
      );
      expect(statuses).toEqual(processNames.map(() => 200));
    });

    test('everything works without a command when it is back', async () => {
      await start([down]);
      await eventually(async () => expect(await upOfEach(bus)).toEqual(expectedUp([])));
      const fresh = await createWorld(bus);
      for (const attempt of attempts) {
        const { status } = await tryTo(fresh, attempt);
        expect([attempt, status]).toEqual([attempt, expect.toSatisfy((got) => got < 300)]);
      }
      // The changes of the meantime are in the feed.
      await eventually(async () => {
        const { changes } = await expectStatus(world.call, [
          'GET',
          `/v1/changes?eventId=${world.eventId}&limit=100`,
        ]);
        const types = changes.map(({ type }: { type: string }) => type);
        const registered = await expectStatus(world.call, [
          'GET',
          `${world.path}/registrations?limit=100`,
        ]);
        expect(types.filter((type: string) => type === 'registration.created')).toHaveLength(
          registered.registrations.length,
        );
      });
      expect(bus.alarms()).toEqual([]);
    });
  });

  describe('while those of registration, commerce and catalog are down', () => {
    const down = ['registration', 'commerce', 'catalog'] as const;
    let world: World;
    beforeAll(async () => {
      world = await createWorld(bus);
      await stop(down);
    }, 300_000);
    afterAll(() => start(down));

    test('people are checked in', async () => {
      for (const person of world.people) {
        const { status } = await world.call('POST', `${world.path}/checkins`, {
          body: scanOf(person),
        });
        expect(status).toBe(201);
      }
      const { checkins } = await expectStatus(world.call, ['GET', `${world.path}/checkins`]);
      expect(checkins).toHaveLength(world.people.length + 1);
    });

    test('a badge that no projection knows is a 404', async () => {
      const body = scanOf({ checkinCode: 'CHK-UNKNOWN' });
      expect((await world.call('POST', `${world.path}/checkins`, { body })).status).toBe(404);
    });
  });
});

describe('with one server for all, which is down', () => {
  let servers: OwnDatabaseServers;
  let bus: BusFixture;
  let world: World;
  beforeAll(async () => {
    servers = await startSharedServer();
    bus = await createBusFixture({ serverUrls: servers.urls, withConsole: true });
    world = await createWorld(bus);
    await servers.of('catalog').stop();
  }, 600_000);
  afterAll(async () => {
    await servers?.of('catalog').start();
    await bus?.stop();
    await servers?.close();
  });

  test.each(attempts)('503 when %s', async (attempt) => {
    expect((await tryTo(world, attempt)).status).toBe(503);
  });
});
