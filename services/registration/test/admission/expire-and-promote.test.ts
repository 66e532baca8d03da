import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  changeEvent,
  changeType,
  createReserveRequest,
  createTestCode,
  createTestEvent,
  createTestTicketType,
  expireReservation,
  someEmail,
} from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';
import { fillWaitlist } from './bulk.ts';
import { holdLock } from './hold-lock.ts';

const isFull = process.env.TEST_SIZE === 'full';

let service: TestRegistration;
let sql: TestRegistration['sql'];
beforeAll(async () => {
  service = await startRegistration({ replicas: 2 });
  sql = service.sql;
});
afterAll(() => service?.close());
afterEach(async () => expect(await violatedInvariants(sql)).toEqual({}));

/** An event with one type, and requests about it. */
async function createFixture(type: Parameters<typeof createTestTicketType>[2], event = {}) {
  const scope = await createTestEvent(sql, event);
  const typeId = await createTestTicketType(sql, scope, type);
  const [first, second] = [
    await service.as(scope.businessUnitId),
    await service.as(scope.businessUnitId, 1),
  ];
  const path = `/v1/events/${scope.eventId}`;
  const register = async () => {
    const body = { email: someEmail(), registrationTypeId: typeId };
    return (await first('POST', `${path}/registrations`, { body })).body.registration;
  };
  const availability = async (call = first) =>
    (await call('GET', `${path}/ticket-types/${typeId}/availability`)).body;
  const statusOf = async (id: string) =>
    (await second('GET', `${path}/registrations/${id}`)).body.status;
  return { scope, typeId, path, first, second, register, availability, statusOf };
}

/** Reserves so many seats on replica 0. */
async function reserve(
  scope: Parameters<typeof createReserveRequest>[0],
  typeId: string,
  people = 1,
  fields = {},
) {
  const input = createReserveRequest(
    scope,
    typeId,
    Array.from({ length: people }, someEmail),
    fields,
  );
  const { result } = await service.replica(0).admission.submit(scope, { kind: 'reserve', input });
  expect(result.outcome).toBe('reserved');
  return input;
}

const expire = (reservationId: string) => expireReservation(sql, reservationId);

describe('a changed ticket type', () => {
  test('with more seats promotes the oldest before any read returns', async () => {
    const { typeId, register, statusOf, availability } = await createFixture({
      capacity: 1,
      allowWaitlist: true,
    });
    const [seated, oldest, next, last] = [
      await register(),
      await register(),
      await register(),
      await register(),
    ];
    await changeType(sql, typeId, { capacity: 3 });
    expect(await statusOf(oldest.id)).toBe('confirmed');
    expect(await statusOf(next.id)).toBe('confirmed');
    expect(await statusOf(last.id)).toBe('waitlisted');
    expect(await statusOf(seated.id)).toBe('confirmed');
    expect(await availability()).toEqual({
      capacity: 3,
      confirmed: 3,
      waitlisted: 1,
      held: 0,
      remaining: 0,
    });
  });

  test('is visible in lists at once', async () => {
    const { typeId, register, path, second } = await createFixture({
      capacity: 1,
      allowWaitlist: true,
    });
    await register();
    await register();
    await changeType(sql, typeId, { capacity: 2 });
    const { body } = await second('GET', `${path}/registrations?status=confirmed`);
    expect(body.registrations).toHaveLength(2);
  });

  test('with fewer seats than are taken removes no one and sells nothing', async () => {
    const { typeId, register, availability } = await createFixture({ capacity: 3 });
    await Promise.all([register(), register(), register()]);
    await changeType(sql, typeId, { capacity: 1 });
    expect(await availability()).toMatchObject({ confirmed: 3, remaining: 0 });
    expect(await register()).toBeUndefined();
    await changeType(sql, typeId, { capacity: 3 });
  });

  test('promotes while it is closed, but not once it is archived', async () => {
    const { typeId, register, availability } = await createFixture({
      capacity: 1,
      allowWaitlist: true,
    });
    for (let n = 0; n < 4; n++) await register();
    await changeType(sql, typeId, { status: 'closed', capacity: 2 });
    expect(await availability()).toMatchObject({ confirmed: 2, waitlisted: 2 });
    await changeType(sql, typeId, { status: 'archived', capacity: 4 });
    expect(await availability()).toMatchObject({ confirmed: 2, waitlisted: 2, remaining: 2 });
  });

  test('promotes in a draft event, but not in an archived one', async () => {
    const { scope, typeId, register, availability } = await createFixture(
      { capacity: 1, allowWaitlist: true },
      { status: 'draft' },
    );
    for (let n = 0; n < 4; n++) await register();
    await changeType(sql, typeId, { capacity: 2 });
    expect(await availability()).toMatchObject({ confirmed: 2, waitlisted: 2 });
    await changeEvent(sql, scope, 'archived');
    await changeType(sql, typeId, { capacity: 3 });
    expect(await availability()).toMatchObject({ confirmed: 2, waitlisted: 2, remaining: 1 });
  });

  const size = isFull ? 20_000 : 2_000;
  test(`without limit promotes ${size} registrations in batches, and no read waits longer than a second`, async () => {
    const { scope, typeId, availability } = await createFixture({
      capacity: 1,
      allowWaitlist: true,
    });
    await fillWaitlist(sql, scope, typeId, size);
    await changeType(sql, typeId, { capacity: null });
    const begun = performance.now();
    const { confirmed, waitlisted } = await availability();
    // On a busy machine the read takes longer, but it still does not wait for the last one.
    expect(performance.now() - begun < 1500 || waitlisted > 0).toBe(true);
    expect(confirmed + waitlisted).toBe(size);
    await eventually(async () => {
      const [row] = await sql<{ confirmed: number; waitlisted: number }>(
        'select confirmed, waitlisted from registration.seat_ledger where ticket_type_id = $1',
        [typeId],
      );
      expect(row).toEqual({ confirmed: size, waitlisted: 0 });
    });
    expect(await availability()).toMatchObject({ confirmed: size, waitlisted: 0, remaining: null });
  });
});

describe('an expired reservation', () => {
  test('is not counted by a read, whether or not it has been closed', async () => {
    const { scope, typeId, availability } = await createFixture({ capacity: 5 });
    const { reservationId } = await reserve(scope, typeId, 2);
    expect(await availability()).toMatchObject({ held: 2, remaining: 3 });
    await expire(reservationId);
    expect(await availability()).toMatchObject({ held: 0, remaining: 5 });
  });

  test('is not counted even while the event is locked and it cannot be closed', async () => {
    const { scope, typeId, availability } = await createFixture({ capacity: 5 });
    const { reservationId } = await reserve(scope, typeId, 2);
    await expire(reservationId);
    const free = await holdLock(service, scope);
    expect(await availability()).toMatchObject({ held: 0, remaining: 5 });
    await free();
  });

  test('releases its seat to the oldest waitlisted registration and its use to the code', async () => {
    const { scope, typeId, register, statusOf } = await createFixture({
      capacity: 1,
      allowWaitlist: true,
    });
    const { id, code } = await createTestCode(sql, scope, typeId);
    const { reservationId } = await reserve(scope, typeId, 1, { codeKey: code.toUpperCase() });
    const waiting = await register();
    expect(waiting.status).toBe('waitlisted');
    await expire(reservationId);
    expect(await statusOf(waiting.id)).toBe('confirmed');
    const [row] = await sql('select uses from registration.redemption_code where id = $1', [id]);
    expect(row).toEqual({ uses: 0 });
  });
});

describe('a reservation', () => {
  test('is fulfilled after sales have closed and the event was archived', async () => {
    const { scope, typeId } = await createFixture({ capacity: 1 });
    const request = await reserve(scope, typeId);
    await changeType(sql, typeId, { status: 'closed', capacity: 1 });
    await changeEvent(sql, scope, 'archived');
    const fulfilment = { kind: 'fulfil', input: { ...request, reacquire: false } } as const;
    const { result } = await service.replica(1).admission.submit(scope, fulfilment);
    expect(result.outcome).toBe('fulfilled');
  });

  test('with the id of a reservation of another event changes nothing there', async () => {
    const { scope, typeId, availability } = await createFixture({ capacity: 5 });
    const { reservationId } = await reserve(scope, typeId);
    const other = await createFixture({ capacity: 5 });
    const release = service.replica(0).admission.submit(other.scope, {
      kind: 'release',
      reservationId,
      onlyIfExpired: false,
    });
    await expect(release).rejects.toThrow('another event');
    expect(await availability()).toMatchObject({ held: 1 });
  });
});

describe('a revoked order', () => {
  test('releases its seats, code uses and add-ons, even in one batch with its fulfilment', async () => {
    const { scope, typeId, availability } = await createFixture({ capacity: 5 });
    const request = await reserve(scope, typeId, 2, { addonIds: ['addon_1', 'addon_2'] });
    const { admission } = service.replica(0);
    const [done, revoked] = await Promise.all([
      admission.submit(scope, { kind: 'fulfil', input: { ...request, reacquire: false } }),
      admission.submit(scope, { kind: 'revoke', orderId: request.reservationId }),
    ]);
    expect(done.result.outcome).toBe('fulfilled');
    expect([...revoked.rows.values()].map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(await availability()).toMatchObject({ confirmed: 0, held: 0, remaining: 5 });
    const addons = 'select from registration.registration_addon where order_id = $1';
    expect(await sql(addons, [request.reservationId])).toEqual([]);
  });
});
