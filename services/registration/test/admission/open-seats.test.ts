import { seatIdOf } from '@event-api/contracts/seat-ids';
import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, service, typeId, useRegistration } from '../context.ts';
import { changeEvent, createTestCode, createTestEvent, someEmail } from '../fixtures.ts';
import { createTestAddon, createTestPerk, register } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const {
  seat,
  reservationInput,
  reserve,
  fulfil,
  assign,
  revoke,
  revokeSeats,
  fulfilled,
  expire,
  availability,
  read,
} = orders(currentEvent);

useRegistration({ ticketType: { capacity: 3 } });

const open = () => ({ ...seat(), email: null });

/** Sells an order, and returns it with the ids of its seats. */
async function sell(seats: ReturnType<typeof open | typeof seat>[], fields: object = {}) {
  const body = reservationInput(seats, fields);
  await reserve(body);
  await fulfil(body);
  return {
    body,
    orderId: body.reservationId,
    seatIds: seats.map((_, n) => seatIdOf(body.reservationId, n)),
  };
}

describe('open seats', () => {
  test('are held before and after the fulfilment, which nothing expires, and cannot be sold again', async () => {
    const body = reservationInput([seat(), open(), open()]);
    await reserve(body);
    expect(await availability()).toMatchObject({ held: 3, confirmed: 0, remaining: 0 });
    const first = await fulfil(body);
    expect(first.seats).toEqual([
      { registrationId: expect.stringMatching(/^reg_/), created: true, status: 'confirmed' },
      { registrationId: seatIdOf(body.reservationId, 1), created: true },
      { registrationId: seatIdOf(body.reservationId, 2), created: true },
    ]);
    expect(await fulfil(body, true)).toEqual(first);
    await expire(body);
    expect(await reserve(reservationInput())).toMatchObject({ reason: 'SOLD_OUT', seatsLeft: 0 });
    expect(await availability()).toMatchObject({ held: 2, confirmed: 1, remaining: 0 });
  });

  test('are assigned once, and a repeated request finds its registration', async () => {
    const { body, orderId, seatIds } = await sell([open(), open()]);
    const [seatId = '', other = ''] = seatIds;
    const email = someEmail();
    const done = await assign(orderId, seatId, email, { name: 'Ada' });
    expect(done).toEqual({
      outcome: 'assigned',
      registrationId: expect.stringMatching(/^reg_/),
      status: 'confirmed',
    });
    expect(await read(done.registrationId)).toMatchObject({
      ...{ email, name: 'Ada', registrationTypeId: typeId, status: 'confirmed' },
    });
    expect(await assign(orderId, seatId, email.toUpperCase())).toEqual(done);
    expect(await assign(orderId, seatId, someEmail())).toEqual({
      outcome: 'not_open',
      seat: 'assigned',
    });
    expect(await assign(orderId, other, email)).toEqual({ outcome: 'attendee_registered' });
    expect(await availability()).toMatchObject({ held: 1, confirmed: 1, remaining: 1 });
    // The fulfilment knows the registration from now on.
    expect((await fulfil(body)).seats).toEqual([
      { registrationId: done.registrationId, created: true },
      { registrationId: other, created: true },
    ]);
  });

  test('get their registration the code, the add-ons and the perks of the seat', async () => {
    const perk = await createTestPerk(service.sql, scope);
    const addonId = await createTestAddon(service.sql, scope, [perk]);
    const { id, code } = await createTestCode(service.sql, scope, typeId, { maxUses: 2 });
    const { orderId, seatIds } = await sell([open(), open()], {
      addonIds: [addonId],
      redemptionCode: code,
    });
    const registered = [];
    for (const seatId of seatIds) registered.push(await assign(orderId, seatId, someEmail()));
    const perksOf = async ({ registrationId }: { registrationId: string }) => {
      const path = `/v1/events/${scope.eventId}/registrations/${registrationId}/perks`;
      return (await call('GET', path)).body.perks.map((each: { id: string }) => each.id);
    };
    expect(await Promise.all(registered.map(perksOf))).toEqual([[perk], []]);
    const used = await service.sql(
      'select redemption_code_id from registration.registration where order_id = $1',
      [orderId],
    );
    expect(used).toEqual([{ redemption_code_id: id }, { redemption_code_id: id }]);
  });

  test('are released with their order, or alone by their id', async () => {
    const { orderId, seatIds } = await sell([open(), open(), open()]);
    const [first = '', second = '', third = ''] = seatIds;
    const { registrationId } = await assign(orderId, first, someEmail());
    expect(await revokeSeats(orderId, [second])).toEqual([second]);
    expect(await availability()).toMatchObject({ held: 1, confirmed: 1, remaining: 1 });
    expect(await assign(orderId, second, someEmail())).toEqual({
      outcome: 'not_open',
      seat: 'cancelled',
    });
    expect((await revoke(orderId)).toSorted()).toEqual([registrationId, third].toSorted());
    expect(await availability()).toMatchObject({ held: 0, confirmed: 0, remaining: 3 });
    expect(await revoke(orderId)).toEqual([]);
  });

  test('are revoked by their id after they are assigned, too', async () => {
    const { orderId, seatIds } = await sell([open(), open()]);
    const [seatId = ''] = seatIds;
    const { registrationId } = await assign(orderId, seatId, someEmail());
    expect(await revokeSeats(orderId, [seatId])).toEqual([registrationId]);
    expect(await availability()).toMatchObject({ held: 1, confirmed: 0 });
  });

  test('belong to their order where fulfilled orders are listed', async () => {
    const { orderId, seatIds } = await sell([open(), open()]);
    const { registrationId } = await assign(orderId, seatIds[0] ?? '', someEmail());
    const listed = await fulfilled({ businessUnitId: scope.businessUnitId, after: '', limit: 10 });
    const registrationIds = [registrationId, seatIds[1]];
    expect(listed).toEqual([{ ...scope, orderId, registrationIds, units: [], typeChanges: [] }]);
  });

  test('count for the limit of their buyer, also before and after they are assigned', async () => {
    await service.sql(
      `insert into registration.event_lock (event_id, business_unit_id, max_seats_per_email, max_holds_per_email)
       values ($1, $2, 3, 1)`,
      [scope.eventId, scope.businessUnitId],
    );
    const buyer = { email: someEmail(), name: null };
    const { orderId, seatIds } = await sell([open(), open()], { buyer });
    const twoMore = () => reserve(reservationInput([seat(), seat()], { buyer }));
    const expected = { reason: 'TOO_MANY_SEATS', limit: 3, seatsLeft: 1 };
    expect(await twoMore()).toMatchObject(expected);
    await assign(orderId, seatIds[0] ?? '', someEmail());
    expect(await twoMore()).toMatchObject(expected);
  });
});

describe('no open seat is assigned', () => {
  test('of another order, event or business unit', async () => {
    const [{ seatIds }, other] = [await sell([open()]), await sell([seat()])];
    const [seatId = ''] = seatIds;
    const unknown = { outcome: 'unknown' };
    expect(await assign(other.orderId, seatId, someEmail())).toEqual(unknown);
    expect(await assign(other.orderId, other.seatIds[0] ?? '', someEmail())).toEqual(unknown);
    const stranger = await createTestEvent(service.sql);
    expect(await assign(other.orderId, seatId, someEmail(), stranger)).toEqual(unknown);
  });

  test('after the event has ended, or when it is archived', async () => {
    const { orderId, seatIds } = await sell([open()]);
    const ends = (at: string) =>
      service.sql('update registration.event_projection set ends_at = $2 where id = $1', [
        scope.eventId,
        at,
      ]);
    await ends('2020-01-01T00:00:00Z');
    const assignNow = () => assign(orderId, seatIds[0] ?? '', someEmail());
    expect(await assignNow()).toEqual({ outcome: 'event_ended' });
    await ends('2999-01-01T00:00:00Z');
    await changeEvent(service.sql, scope, 'archived');
    expect(await assignNow()).toEqual({ outcome: 'event_archived' });
    await changeEvent(service.sql, scope, 'published');
    expect(await assignNow()).toMatchObject({ outcome: 'assigned' });
  });

  test('with answers that the form of the event rejects', async () => {
    const { orderId, seatIds } = await sell([open()]);
    const form = [{ id: 'diet', label: 'Diet', type: 'text', required: true }];
    await service.sql('update registration.event_projection set form = $2 where id = $1', [
      scope.eventId,
      JSON.stringify(form),
    ]);
    const [seatId = ''] = seatIds;
    expect(await assign(orderId, seatId, someEmail())).toMatchObject({
      outcome: 'invalid_responses',
      issues: [{ field: 'responses.diet', code: 'required' }],
    });
    const responses = { diet: 'vegan' };
    const { registrationId } = await assign(orderId, seatId, someEmail(), { responses });
    expect(await read(registrationId)).toMatchObject({ responses });
  });

  test('to a person on the waitlist, who keeps the place', async () => {
    const { orderId, seatIds } = await sell([open(), open(), open()]);
    await service.sql(
      'update registration.ticket_type_projection set allow_waitlist = true where id = $1',
      [typeId],
    );
    const { id, email } = await register(call, scope, { registrationTypeId: typeId });
    expect(await assign(orderId, seatIds[0] ?? '', email)).toEqual({
      outcome: 'attendee_registered',
    });
    expect((await read(id)).status).toBe('waitlisted');
  });
});
