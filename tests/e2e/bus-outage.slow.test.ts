import { randomUUID } from 'node:crypto';
import { apiProcessNames } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { fillDisk, freeDisk } from '@event-api/test-support/full-disk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './fixtures/bus.ts';

let bus: BusFixture;
let call: HttpClient;
beforeAll(async () => {
  bus = await createBusFixture();
  call = (await bus.newUnit()).at(bus.gatewayUrl);
});
afterAll(() => bus?.stop());

const randomEmail = () => `${randomUUID()}@example.com`;
const registrationOf = (typeId: string) => ({ registrationTypeId: typeId, email: randomEmail() });

/** Returns the response body and the response time. */
async function timed(...request: Parameters<typeof expectStatus>[1]) {
  const begun = performance.now();
  return { body: await expectStatus(call, request), ms: performance.now() - begun };
}

async function countsAre(typePath: string, confirmed: number): Promise<void> {
  await eventually(async () => {
    const { counts } = await expectStatus(call, ['GET', typePath]);
    expect(counts.confirmed).toBe(confirmed);
  });
}

describe('without NATS', () => {
  test('all services accept writes and reads, a new ticket type is sold, and projections catch up afterwards', async () => {
    const existing = await openEvent(call);
    await expectStatus(call, [
      'POST',
      `${existing.path}/registrations`,
      registrationOf(existing.typeId),
    ]);
    await countsAre(existing.typePath, 1);
    await bus.nats.kill();

    const fresh = await openEvent(call, { capacity: 2, allowWaitlist: true });
    const { path, typePath, typeId } = fresh;
    const addon = await expectStatus(call, ['POST', `${path}/addons`, { name: 'Workshop' }]);
    await expectStatus(call, ['PATCH', `${path}/addons/${addon.id}`, { status: 'open' }]);
    await expectStatus(call, ['POST', `${path}/bundles`, { name: 'Everything' }]);
    const registrations = `${path}/registrations`;
    const statuses = [];
    for (let i = 0; i < 4; i++) {
      const { body } = await timed('POST', registrations, registrationOf(typeId));
      statuses.push(body.registration.status);
    }
    expect(statuses).toEqual(['confirmed', 'confirmed', 'waitlisted', 'waitlisted']);
    // No message arrives meanwhile, so only the cancellation frees a seat.
    const [first] = (await expectStatus(call, ['GET', `${registrations}?status=confirmed`]))
      .registrations;
    await expectStatus(call, ['POST', `${registrations}/${first.id}/cancel`]);
    const { body: availability } = await timed('GET', `${typePath}/availability`);
    expect(availability).toMatchObject({ confirmed: 2, waitlisted: 1, remaining: 0 });
    const reads = [
      '/v1/events',
      path,
      `${path}/ticket-types`,
      typePath,
      `${path}/addons`,
      `${path}/bundles`,
      registrations,
      existing.typePath,
    ];
    const waits: number[] = [];
    for (const each of reads) waits.push((await timed('GET', each)).ms);
    // A read that waits for its projection takes a second longer than the median.
    const usual = waits.toSorted((one, other) => one - other)[Math.floor(waits.length / 2)] ?? 0;
    expect(usual).toBeLessThan(1000);
    expect(Math.max(...waits)).toBeLessThan(800 + 10 * usual);
    await expectStatus(call, ['POST', `${existing.path}/archive`]);
    const late = { body: registrationOf(existing.typeId) };
    // The projection does not contain the archiving. Accepting the registration is the documented
    // cost of continuing without the bus.
    expect((await call('POST', `${existing.path}/registrations`, late)).status).toBe(201);

    await bus.nats.start();
    await countsAre(typePath, 2);
    await countsAre(existing.typePath, 2);
    await eventually(async () => {
      const body = registrationOf(existing.typeId);
      const rejected = await call('POST', `${existing.path}/registrations`, { body });
      expect(rejected.body.error?.details).toEqual([{ reason: 'EVENT_ARCHIVED' }]);
    });
  });

  test('a process drains within its time limit, and its last messages are published after the restart', async () => {
    const { path, typePath, typeId } = await openEvent(call);
    await expectStatus(call, ['GET', `${path}/registrations`]);
    await bus.nats.kill();
    await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)]);
    const drainedMs = async () => {
      const begun = performance.now();
      await bus.processes.stop('registration');
      return performance.now() - begun;
    };
    const without = await drainedMs();
    await bus.nats.start();
    await bus.processes.restart('registration');
    await countsAre(typePath, 1);
    expect(without).toBeLessThan(4500 + 5 * (await drainedMs()));
    await bus.processes.restart('registration');
  });
});

describe('with a full disk of PostgreSQL', () => {
  test('all services respond to writes with 503 and to reads with 200, and accept writes once space is free', async () => {
    const { path, typePath, typeId } = await openEvent(call);
    const registrations = `${path}/registrations`;
    const register = ['POST', registrations, registrationOf(typeId)] as const;
    const { registration } = await expectStatus(call, register, 201);
    const items = [{ itemType: 'registration_type', itemId: typeId }];
    const order = { email: randomEmail(), items };
    const { id: orderId } = await expectStatus(call, ['POST', `${path}/orders`, order], 201);
    const door = { checkinCode: registration.checkinCode, subjectType: 'event' };
    await countsAre(typePath, 1);

    await Promise.all(bus.database.all.map(({ sql }) => fillDisk(sql)));
    const writes = [
      ['PATCH', typePath, { capacity: 7 }],
      ['POST', registrations, registrationOf(typeId)],
      ['POST', `${path}/orders/${orderId}/confirm`, {}],
      ['POST', `${path}/orders`, { email: randomEmail(), items }],
      ['POST', `${path}/checkins`, door],
    ] as const;
    for (const [method, at, body] of writes) {
      const key = { 'idempotency-key': randomUUID() };
      for (const headers of [{}, key]) {
        const response = await call(method, at, { body, headers });
        expect([at, response.status, response.headers['retry-after']]).toEqual([at, 503, '1']);
      }
    }
    const reads = [
      path,
      typePath,
      registrations,
      `${typePath}/availability`,
      `${path}/orders/${orderId}`,
      `${path}/checkins`,
    ];
    for (const each of reads) await expectStatus(call, ['GET', each], 200);
    await Promise.all(bus.database.all.map(({ sql }) => freeDisk(sql)));
    for (const each of writes) await expectStatus(call, each);
  });
});

describe('without catalog', () => {
  test('registration accepts registrations in known events and responds with 503 where it needs catalog', async () => {
    const { path, typePath, typeId } = await openEvent(call);
    await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)]);
    await bus.processes.stop('catalog', 'SIGKILL');
    await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)], 201);
    await expectStatus(call, ['GET', `${path}/registrations`], 200);
    await expectStatus(call, ['GET', typePath], 503);
    // A rejection would depend on the projection alone.
    await expectStatus(call, ['GET', '/v1/events/evt_unknown/registrations'], 503);
    await expectStatus(call, ['POST', `${path}/registrations`, registrationOf('tt_unknown')], 503);
    await bus.processes.restart('catalog');
    await countsAre(typePath, 2);
    await expectStatus(call, ['GET', '/v1/events/evt_unknown/registrations'], 404);
  });
});

describe('without registration', () => {
  test('catalog responds with the last known counts', async () => {
    const { path, typePath, typeId } = await openEvent(call);
    await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)]);
    await countsAre(typePath, 1);
    await bus.processes.stop('registration', 'SIGKILL');
    await expectStatus(call, ['PATCH', typePath, { capacity: 7 }]);
    expect(await expectStatus(call, ['GET', typePath])).toMatchObject({ counts: { confirmed: 1 } });
    await bus.processes.restart('registration');
    const { capacity } = await expectStatus(call, ['GET', `${typePath}/availability`]);
    expect(capacity).toBe(7);
  });
});

test('a restored database of registration catches up, and the counts of catalog are corrected without a command', async () => {
  const { eventId, path, typePath, typeId } = await openEvent(call, { name: 'Before' });
  await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)]);
  await countsAre(typePath, 1);
  // PostgreSQL copies a database only while no client is connected to it.
  await Promise.all(apiProcessNames.map((name) => bus.processes.stop(name)));
  const copy = await bus.database.of('registration').copy();
  await Promise.all(apiProcessNames.map((name) => bus.processes.restart(name)));
  await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)]);
  await countsAre(typePath, 2);
  await expectStatus(call, ['PATCH', typePath, { name: 'After', capacity: 40 }]);
  const later = await openEvent(call);
  await expectStatus(call, ['GET', `${typePath}/availability`]);
  let cursor = '';
  await eventually(async () => {
    const { changes } = await expectStatus(call, ['GET', `/v1/changes?eventId=${eventId}`]);
    const types: string[] = changes.map(({ type }: { type: string }) => type);
    expect(types.filter((type) => type === 'registration.created')).toHaveLength(2);
    ({ cursor } = await expectStatus(call, ['GET', '/v1/changes/head']));
  });
  const other = (await bus.newUnit()).at(bus.gatewayUrl);
  const { epoch } = await expectStatus(other, ['GET', '/v1/changes/head']);

  await bus.processes.stop('registration');
  const restored = new URL(bus.specOf('registration').env.DATABASE_URL ?? '');
  restored.pathname = new URL(copy.url).pathname;
  await bus.processes.restart('registration', { DATABASE_URL: restored.href });
  await eventually(async () => {
    const copies = await copy.sql<{ id: string; name: string; capacity: number }>(
      'select id, name, capacity from registration.ticket_type_projection where id = any($1) order by id',
      [[typeId, later.typeId].sort()],
    );
    expect(copies).toHaveLength(2);
    expect(copies).toContainEqual({ id: typeId, name: 'After', capacity: 40 });
  });
  await countsAre(typePath, 1);
  await expectStatus(call, ['POST', `${path}/registrations`, registrationOf(typeId)], 201);
  expect(await expectStatus(call, ['GET', typePath])).toMatchObject({ counts: { confirmed: 2 } });
  await eventually(() =>
    expect(bus.alarms().sort()).toEqual([
      expect.stringContaining('"alarm":"changes_lost"'),
      expect.stringContaining('"alarm":"database_rewound"'),
    ]),
  );
  await expectStatus(call, ['GET', `/v1/changes?after=${cursor}`], 412);

  // The feed compares the lineages of the services at its start, and every feed begins a new epoch.
  await bus.processes.stop('changes');
  await bus.processes.restart('changes');
  await eventually(async () => {
    const head = await expectStatus(other, ['GET', '/v1/changes/head']);
    expect(head.epoch).not.toBe(epoch);
  });
  await bus.processes.stop('registration');
  await copy.drop();
});
