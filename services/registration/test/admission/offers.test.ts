import { eventually } from '@event-api/platform/testing/eventually';
import { describe, expect, test } from 'vitest';
import {
  call,
  calls,
  currentEvent,
  eventPath,
  inside,
  operator,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { changeType, someEmail } from '../fixtures.ts';
import { register, succeeded } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const priceAmount = 2500;
useRegistration({
  replicas: 2,
  promoteIntervalMs: 200,
  ticketType: { capacity: 1, allowWaitlist: true, priceAmount },
});

const { seat, reservationInput, reserve, fulfil, release, expire, availability, read } =
  orders(currentEvent);

const join = (fields: object = {}) =>
  register(call, scope, { registrationTypeId: typeId, ...fields });
const cancel = (id: string) => call('POST', `${eventPath}/registrations/${id}/cancel`);
const orderFor = (email: string, fields: object = {}) =>
  reservationInput([seat(typeId, email)], { price: 'charged', ...fields });

/** A full type: the registration that has the seat, and the waitlisted ones in their order. */
async function fullType(waiting: number) {
  const first = await join();
  const waitlisted = [];
  for (let n = 0; n < waiting; n++) waitlisted.push(await join());
  expect(waitlisted.map(({ status }) => status)).toEqual(waitlisted.map(() => 'waitlisted'));
  return { first, waitlisted: waitlisted as { id: string; email: string }[] };
}

/** Ends the open offer of a registration now. */
const expireOffer = async (id: string) => {
  await service.sql(
    `with o as (
       update registration.seat_reservation set expires_at = date_trunc('milliseconds', clock_timestamp())
       where registration_id = $1 and state in ('active', 'taken') returning registration_id, expires_at
     )
     update registration.registration r set offer_expires_at = o.expires_at from o where r.id = o.registration_id`,
    [id],
  );
};

describe('a seat of a ticket type with a price', () => {
  test('that becomes available is offered for 24 hours and counts as held', async () => {
    const { first, waitlisted } = await fullType(2);
    const before = Date.now();
    await cancel(first.id);
    const offered = await read(waitlisted[0]?.id ?? '');
    expect(offered).toMatchObject({ status: 'waitlisted', offersMissed: 0 });
    const hours = (Date.parse(offered.offerExpiresAt) - before) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    expect(await read(waitlisted[1]?.id ?? '')).toMatchObject({ offerExpiresAt: null });
    expect(await availability()).toEqual({
      capacity: 1,
      confirmed: 0,
      waitlisted: 2,
      held: 1,
      remaining: 0,
    });
  });

  test('is offered for the time of event.setLimits, and until the end of the sale at most', async () => {
    const body = { ...scope, waitlistOfferMinutes: 30 };
    succeeded(await operator('POST', '/operator/event.setLimits', { body }));
    const { first, waitlisted } = await fullType(1);
    await cancel(first.id);
    const id = waitlisted[0]?.id ?? '';
    const { offerExpiresAt } = await read(id);
    expect((Date.parse(offerExpiresAt) - Date.now()) / 60_000).toBeCloseTo(30, 0);
    const closesAt = new Date(Date.now() + 600_000);
    await changeType(service.sql, typeId, { closesAt });
    await expireOffer(id);
    await eventually(async () =>
      expect(await read(id)).toMatchObject({
        offersMissed: 1,
        offerExpiresAt: closesAt.toISOString(),
      }),
    );
  });

  test('goes to the next registration when the offer expires, without a request for the event', async () => {
    const { first, waitlisted } = await fullType(2);
    const [a = { id: '' }, b = { id: '' }] = waitlisted;
    await cancel(first.id);
    await expireOffer(a.id);
    const queue = () =>
      service.sql(
        `select id, offer_id is not null as offered, offers_missed as missed from registration.registration
         where id = any($1) order by coalesce(waitlist_order, insertion_order)`,
        [[a.id, b.id]],
      );
    await eventually(async () =>
      expect(await queue()).toEqual([
        { id: b.id, offered: true, missed: 0 },
        { id: a.id, offered: false, missed: 1 },
      ]),
    );
    const late = await join();
    await cancel(b.id);
    expect(await read(a.id)).toMatchObject({ offersMissed: 1, offerExpiresAt: expect.any(String) });
    expect(await read(late.id)).toMatchObject({ offerExpiresAt: null });
  });
});

describe('an order', () => {
  test('takes the offer of its attendee and confirms the same registration when it is fulfilled', async () => {
    const { first, waitlisted } = await fullType(2);
    const [a = { id: '', email: '' }] = waitlisted;
    await cancel(first.id);
    const body = orderFor(a.email.toUpperCase());
    expect(await reserve(body)).toMatchObject({
      outcome: 'reserved',
      approvalSeat: null,
      buyerRegistrationId: a.id,
    });
    expect(await availability()).toMatchObject({ confirmed: 0, waitlisted: 2, held: 1 });
    expect(await fulfil(body)).toMatchObject({ seats: [{ registrationId: a.id, created: true }] });
    expect(await fulfil(body)).toMatchObject({ seats: [{ registrationId: a.id, created: true }] });
    expect(await read(a.id)).toMatchObject({
      status: 'confirmed',
      orderId: body.reservationId,
      offerExpiresAt: null,
    });
    expect(await availability()).toMatchObject({ confirmed: 1, waitlisted: 1, held: 0 });
  });

  test('of a waitlisted buyer without an offer returns the registration and its status', async () => {
    const { waitlisted } = await fullType(1);
    const [a = { id: '', email: '' }] = waitlisted;
    expect(await reserve(orderFor(a.email))).toEqual({
      outcome: 'already_registered',
      registrationId: a.id,
      registrationStatus: 'waitlisted',
      openOrderId: null,
    });
  });

  test.each(['released', 'expired'] as const)(
    'that is %s returns the offer with its time',
    async (end) => {
      const { first, waitlisted } = await fullType(1);
      const [a = { id: '', email: '' }] = waitlisted;
      await cancel(first.id);
      const { offerExpiresAt } = await read(a.id);
      const body = orderFor(a.email);
      await reserve(body);
      if (end === 'released') await release(body);
      else await expire(body);
      expect(await availability()).toMatchObject({ confirmed: 0, waitlisted: 1, held: 1 });
      expect(await read(a.id)).toMatchObject({ status: 'waitlisted', offerExpiresAt });
      expect((await reserve(orderFor(a.email))).outcome).toBe('reserved');
    },
  );

  test('keeps the seat when the offer ends meanwhile, and the offer expires with the order', async () => {
    const { first, waitlisted } = await fullType(2);
    const [a = { id: '', email: '' }, b = { id: '' }] = waitlisted;
    await cancel(first.id);
    const body = orderFor(a.email);
    await reserve(body);
    await expireOffer(a.id);
    expect(await availability()).toMatchObject({ held: 1 });
    expect(await read(b.id)).toMatchObject({ offerExpiresAt: null });
    await release(body);
    expect(await read(a.id)).toMatchObject({ offersMissed: 1, offerExpiresAt: null });
    expect(await read(b.id)).toMatchObject({ offerExpiresAt: expect.any(String) });
  });
});

describe('a registration that is cancelled while an order has its offer', () => {
  const check = async (body: object) =>
    succeeded(await inside('POST', '/internal/reservations/check', { body }));
  const undeliverable = async ({ reservationId, buyer }: Record<string, unknown>) => {
    const rest = { seats: [], addonIds: [], redemptionCode: null };
    const body = { ...scope, reservations: [{ reservationId, buyer, ...rest }] };
    const path = '/internal/reservations/find-undeliverable';
    return succeeded(await inside('POST', path, { body })).reservationIds;
  };

  test('releases the order, whose payment registers no one, and the seat goes to the next', async () => {
    const { first, waitlisted } = await fullType(2);
    const [a = { id: '', email: '' }, b = { id: '' }] = waitlisted;
    await cancel(first.id);
    const body = orderFor(a.email);
    await reserve(body);
    expect([await check(body), await undeliverable(body)]).toEqual([{ outcome: 'ok' }, []]);
    await cancel(a.id);
    expect(await check(body)).toEqual({ outcome: 'not_registered', seat: 0 });
    expect(await undeliverable(body)).toEqual([body.reservationId]);
    expect(await read(b.id)).toMatchObject({ offerExpiresAt: expect.any(String) });
    expect(await availability()).toMatchObject({ confirmed: 0, waitlisted: 1, held: 1 });
    for (const reacquire of [false, true, true]) {
      expect(await fulfil(body, reacquire)).toEqual({ outcome: 'released' });
    }
    expect(await release(body)).toBe('released');
    expect(await read(a.id)).toMatchObject({ status: 'cancelled' });
    const active = await service.sql(
      'select from registration.registration where event_id = $1 and active_email = $2',
      [scope.eventId, a.email],
    );
    expect(active).toEqual([]);
  });

  test('returns the offers of the other attendees', async () => {
    await changeType(service.sql, typeId, { capacity: 2 });
    const first = [await join(), await join()];
    const [a, b] = [await join(), await join()];
    for (const { id } of first) await cancel(id);
    const { offerExpiresAt } = await read(b.id);
    await reserve(
      reservationInput([seat(typeId, a.email), seat(typeId, b.email)], { price: 'charged' }),
    );
    await cancel(a.id);
    expect(await read(b.id)).toMatchObject({ status: 'waitlisted', offerExpiresAt });
    expect((await reserve(orderFor(b.email))).outcome).toBe('reserved');
  });

  test('is not registered by the late payment of an order that had expired before', async () => {
    const { first, waitlisted } = await fullType(1);
    const [a = { id: '', email: '' }] = waitlisted;
    await cancel(first.id);
    const body = orderFor(a.email);
    await reserve(body);
    await expire(body);
    await cancel(a.id);
    expect(await availability()).toMatchObject({ confirmed: 0, held: 0, remaining: 1 });
    expect(await fulfil(body, true)).toEqual({ outcome: 'unfulfillable' });
  });
});

describe('a price that changes', () => {
  test('to 0 confirms the registration with the offer', async () => {
    const { first, waitlisted } = await fullType(1);
    const [a = { id: '' }] = waitlisted;
    await cancel(first.id);
    await changeType(service.sql, typeId, { priceAmount: 0 });
    await eventually(async () =>
      expect(await read(a.id)).toMatchObject({ status: 'confirmed', offerExpiresAt: null }),
    );
  });
});

describe('an approval of a ticket type with a price', () => {
  test('offers a seat, and the order of the approved person confirms the registration', async () => {
    await changeType(service.sql, typeId, { requiresApproval: true });
    const { id, email } = await join();
    const [, second] = calls;
    const approved = succeeded(await second('POST', `${eventPath}/registrations/${id}/approve`));
    expect(approved).toMatchObject({
      status: 'waitlisted',
      offerExpiresAt: expect.any(String),
    });
    const other = orderFor(someEmail());
    expect(await reserve(other)).toMatchObject({
      reason: 'NOT_ON_SALE',
      block: 'requires_approval',
    });
    const body = orderFor(email);
    expect((await reserve(body)).outcome).toBe('reserved');
    expect(await fulfil(body)).toMatchObject({ seats: [{ registrationId: id, created: true }] });
    expect(await read(id)).toMatchObject({ status: 'confirmed' });
  });
});

describe('registration.confirm', () => {
  const confirm = (registrationId: string, fields: object = {}) =>
    operator('POST', '/operator/registration.confirm', {
      body: { ...scope, registrationId, ...fields },
    });

  test('confirms a waitlisted registration with an offer, and one ahead of the waitlist', async () => {
    const { first, waitlisted } = await fullType(2);
    const [a = { id: '' }, b = { id: '' }] = waitlisted;
    await cancel(first.id);
    const { status, body } = await confirm(b.id);
    expect([status, body.error?.details[0].reason]).toEqual([412, 'SOLD_OUT']);
    expect(succeeded(await confirm(a.id, { reason: 'Speaker' }))).toMatchObject({
      id: a.id,
      status: 'confirmed',
      offerExpiresAt: null,
    });
    expect(succeeded(await confirm(a.id)).status).toBe('confirmed');
  });

  test('responds 412 for a cancelled registration and 404 for one of another event', async () => {
    const { first } = await fullType(0);
    await cancel(first.id);
    const { status, body } = await confirm(first.id);
    expect([status, body.error.details[0].reason]).toEqual([412, 'REGISTRATION_CLOSED']);
    expect((await confirm(first.id, { eventId: 'evt_other' })).status).toBe(404);
    expect((await confirm('reg_other')).status).toBe(404);
  });
});
