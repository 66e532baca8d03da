import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, typeId, useRegistration } from '../context.ts';
import { someEmail } from '../fixtures.ts';
import { register, succeeded } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const { post, seat, reservationInput, reserve, fulfil, availability } = orders(currentEvent);

useRegistration({ ticketType: { capacity: 3 } });

const check = async (body: object) => succeeded(await post('/internal/reservations/check', body));

describe('checking a reservation', () => {
  test('names the first seat whose attendee has registered since, whatever the case of the email', async () => {
    const body = reservationInput([seat(), seat(typeId, someEmail())]);
    await reserve(body);
    expect(await check(body)).toEqual({ outcome: 'ok' });
    const email = body.seats[1]?.email?.toUpperCase() ?? '';
    const { id } = await register(call, scope, { email, registrationTypeId: typeId });
    expect(await check(body)).toEqual({ outcome: 'attendee_registered', seat: 1 });
    expect(await availability()).toMatchObject({ held: 2, confirmed: 1 });
    await succeeded(await call('POST', `/v1/events/${scope.eventId}/registrations/${id}/cancel`));
    expect(await check(body)).toEqual({ outcome: 'ok' });
  });

  test('accepts the registrations that the order created, and rejects those of another order', async () => {
    const email = someEmail();
    const [own, other] = [1, 2].map(() => reservationInput([seat(typeId, email)]));
    if (!own || !other) throw new Error('no input');
    for (const body of [own, other]) await reserve(body);
    await fulfil(own);
    expect(await check(own)).toEqual({ outcome: 'ok' });
    expect(await check(other)).toEqual({ outcome: 'attendee_registered', seat: 0 });
  });

  test('finds the reservations of an event that cannot be delivered, and no others', async () => {
    const [email, other] = [someEmail(), someEmail()];
    const inputs = [email, email, other].map((each) => reservationInput([seat(typeId, each)]));
    const [own] = inputs;
    if (!own) throw new Error('no input');
    await reserve(own);
    await fulfil(own);
    const reservations = inputs.map(({ businessUnitId: _, eventId: __, ...rest }) => rest);
    const body = { businessUnitId: own.businessUnitId, eventId: own.eventId, reservations };
    expect(await succeeded(await post('/internal/reservations/find-undeliverable', body))).toEqual({
      reservationIds: [inputs[1]?.reservationId],
    });
  });

  test('does not find registrations of another event', async () => {
    const body = reservationInput();
    await register(call, scope, { email: body.buyer.email, registrationTypeId: typeId });
    expect(await check({ ...body, eventId: 'evt_other' })).toEqual({ outcome: 'ok' });
  });
});
