import { newId } from '@event-api/platform/core/ids';
import { beforeEach, describe, expect, test } from 'vitest';
import { orders } from '../admission/orders.ts';
import { call, inside, operator, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { createTestAddon, register, succeeded } from '../projection-fixtures.ts';

let email: string;
const at = () => ({ service, inside, call, scope, typeId });
const { seat, reservationInput, reserve, fulfil, release, expire } = orders(at);

useRegistration();
beforeEach(() => {
  email = someEmail();
});

const setLimits = (body: object) =>
  operator('POST', '/operator/event.setLimits', { body: { ...scope, ...body } });

/** A reservation by the buyer of the test, with seats for others. */
const order = (seats = 1, fields: object = {}) =>
  reservationInput(
    Array.from({ length: seats }, () => seat()),
    { buyer: { email, name: null }, ...fields },
  );

/** Reserves and returns the outcome or reason. */
const decided = async (body: object): Promise<string> => {
  const { outcome, reason } = await reserve(body);
  return reason ?? outcome;
};

describe('event.setLimits', () => {
  test('sets the limits of the request, keeps absent ones and resets with null', async () => {
    const set = async (body: object) => succeeded(await setLimits(body));
    const { eventId } = scope;
    const none = { maxHoldsPerEmail: null, maxSeatsPerEmail: null, waitlistOfferMinutes: null };
    expect(await set({})).toEqual({ eventId, ...none });
    expect(await set({ maxHoldsPerEmail: 7 })).toMatchObject({ maxHoldsPerEmail: 7 });
    expect(await set({ maxSeatsPerEmail: 4 })).toMatchObject({ maxSeatsPerEmail: 4 });
    const all = { maxHoldsPerEmail: 7, maxSeatsPerEmail: 4, waitlistOfferMinutes: 30 };
    expect(await set({ waitlistOfferMinutes: 30 })).toEqual({ eventId, ...all });
    expect(await set({})).toEqual({ eventId, ...all });
    const reset = { maxHoldsPerEmail: null, waitlistOfferMinutes: null };
    expect(await set(reset)).toEqual({ eventId, ...all, ...reset });
  });

  test('is read back with event.getLimits, before anything was set, too', async () => {
    const get = async (of: object) =>
      operator('POST', '/operator/event.getLimits', { body: { ...scope, ...of } });
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const none = { maxHoldsPerEmail: null, maxSeatsPerEmail: null, waitlistOfferMinutes: null };
    expect(succeeded(await get(other))).toEqual({ eventId: other.eventId, ...none });
    await setLimits({ maxSeatsPerEmail: 4 });
    expect(succeeded(await get({}))).toMatchObject({ maxSeatsPerEmail: 4 });
    const foreign = await get({ businessUnitId: newId('unit') });
    expect(foreign.status).toBe(404);
    expect((await get({ eventId: newId('evt') })).body).toEqual(foreign.body);
  });

  test.each([
    ['maxHoldsPerEmail', 0],
    ['maxHoldsPerEmail', 1001],
    ['maxSeatsPerEmail', 0],
    ['maxSeatsPerEmail', 1_000_001],
    ['maxSeatsPerEmail', '4'],
    ['waitlistOfferMinutes', 0],
    ['waitlistOfferMinutes', 43_201],
  ])('responds 400 for %s %j', async (field, value) => {
    const { status, body } = await setLimits({ [field]: value });
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  test('responds 404 for an event of another unit and 412 for an archived one', async () => {
    expect((await setLimits({ eventId: newId('evt') })).status).toBe(404);
    expect((await setLimits({ businessUnitId: newId('unit') })).status).toBe(404);
    await changeEvent(service.sql, scope, 'archived');
    const { status, body } = await setLimits({ maxHoldsPerEmail: 1 });
    expect([status, body.error.details[0].reason]).toEqual([412, 'EVENT_ARCHIVED']);
  });
});

describe('the reservation limit', () => {
  test('is 100 active reservations per email by default', async () => {
    await Promise.all(Array.from({ length: 100 }, () => reserve(order())));
    expect(await reserve(order())).toEqual({
      outcome: 'refused',
      reason: 'TOO_MANY_HOLDS',
      limit: 100,
    });
    expect(await decided(reservationInput())).toBe('reserved');
  });

  test('counts active reservations of this event only, in any case of the email', async () => {
    await setLimits({ maxHoldsPerEmail: 2 });
    const [first, second] = [
      order(),
      order(1, { buyer: { email: email.toUpperCase(), name: null } }),
    ];
    expect(await decided(first)).toBe('reserved');
    expect(await decided(second)).toBe('reserved');
    expect(await decided(first)).toBe('reserved');
    expect(await decided(order())).toBe('TOO_MANY_HOLDS');
    await release(first);
    expect(await decided(order())).toBe('reserved');
    await expire(second);
    expect(await decided(order())).toBe('reserved');
    const other = await createTestEvent(service.sql, { businessUnitId: scope.businessUnitId });
    const otherType = await createTestTicketType(service.sql, other);
    const elsewhere = { ...order(), ...other, seats: [seat(otherType)] };
    expect(await decided(elsewhere)).toBe('reserved');
    expect(await decided(order())).toBe('TOO_MANY_HOLDS');
  });

  test('does not apply to a reservation that is fulfilled late', async () => {
    await setLimits({ maxHoldsPerEmail: 1 });
    const late = order();
    await reserve(late);
    await expire(late);
    expect(await decided(order())).toBe('reserved');
    expect(await fulfil(late, true)).toMatchObject({ outcome: 'fulfilled' });
  });

  test('is counted as a metric', async () => {
    await setLimits({ maxHoldsPerEmail: 1, maxSeatsPerEmail: 1 });
    const value = async (limit: string) => {
      const { body } = await inside('GET', '/metrics');
      const line = String(body).match(
        new RegExp(
          `^registration_reservations_limited_total\\{.*limit="${limit}".*\\} (\\d+)$`,
          'm',
        ),
      );
      return Number(line?.[1]);
    };
    const [holds, seats] = [await value('holds'), await value('seats')];
    expect(await decided(order(2))).toBe('TOO_MANY_SEATS');
    await reserve(order());
    expect(await decided(order())).toBe('TOO_MANY_HOLDS');
    expect([await value('holds'), await value('seats')]).toEqual([holds + 1, seats + 1]);
  });
});

describe('the seat limit', () => {
  beforeEach(() => setLimits({ maxSeatsPerEmail: 4 }));

  test('counts reserved seats, those that require approval, and active registrations', async () => {
    const judged = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const held = reservationInput([seat(), seat(judged)], { buyer: { email, name: null } });
    expect(await decided(held)).toBe('reserved');
    expect(await reserve(order(3))).toEqual({
      outcome: 'refused',
      reason: 'TOO_MANY_SEATS',
      limit: 4,
      seatsLeft: 2,
    });
    const { seats } = await fulfil(held);
    expect(await reserve(order(3))).toMatchObject({ reason: 'TOO_MANY_SEATS', seatsLeft: 2 });
    const path = `/v1/events/${scope.eventId}/registrations/${seats[1].registrationId}`;
    succeeded(await call('POST', `${path}/cancel`));
    expect(await reserve(order(4))).toMatchObject({ reason: 'TOO_MANY_SEATS', seatsLeft: 3 });
    expect(await decided(order(3))).toBe('reserved');
  });

  test("counts the buyer's own registration, and not one that another buyer ordered", async () => {
    await register(call, scope, { registrationTypeId: typeId, email });
    expect(await reserve(order(4))).toMatchObject({ reason: 'TOO_MANY_SEATS', seatsLeft: 3 });
    const guest = someEmail();
    const gift = reservationInput([seat(typeId, guest)], {
      buyer: { email: someEmail(), name: null },
    });
    await reserve(gift);
    await fulfil(gift);
    email = guest;
    expect(await decided(order(4))).toBe('reserved');
  });

  test('allows add-ons alone', async () => {
    await register(call, scope, { registrationTypeId: typeId, email });
    await reserve(order(3));
    expect(await decided(order(0, { addonIds: [await createTestAddon(service.sql, scope)] }))).toBe(
      'reserved',
    );
  });
});
