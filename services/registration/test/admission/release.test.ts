import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, typeId, useRegistration } from '../context.ts';
import { unique } from '../fixtures.ts';
import { register } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const { seat, reservationInput, reserve, fulfil, release, revoke, expire, availability, read } =
  orders(currentEvent);

useRegistration({ ticketType: { capacity: 3 } });

describe('releasing', () => {
  test('returns the seats, once', async () => {
    const [one, other] = [reservationInput(), reservationInput()];
    for (const body of [one, other]) await reserve(body);
    for (const _ of [1, 2]) expect(await release(one)).toBe('released');
    expect(await availability()).toMatchObject({ held: 1, remaining: 2 });
  });

  test('before the reservation arrives makes it rejected when it arrives', async () => {
    const body = reservationInput();
    expect(await release(body)).toBe('released');
    expect(await reserve(body)).toEqual({ outcome: 'refused', reason: 'CLOSED' });
    expect(await availability()).toMatchObject({ held: 0, remaining: 3 });
  });

  test('leaves a fulfilled reservation, and closes an expired one permanently', async () => {
    const [done, late] = [reservationInput(), reservationInput()];
    for (const body of [done, late]) await reserve(body);
    const { seats } = await fulfil(done);
    await expire(late);
    expect([await release(done), await release(late)]).toEqual(['fulfilled', 'released']);
    expect(await fulfil(late, true)).toEqual({ outcome: 'released' });
    expect((await read(seats[0].registrationId)).status).toBe('confirmed');
    expect(await reserve(late)).toMatchObject({ outcome: 'refused', reason: 'CLOSED' });
  });
});

describe('revoking an order', () => {
  test('cancels the registrations that it created, and only those, once', async () => {
    const [order, other] = [reservationInput([seat(), seat()]), reservationInput()];
    for (const body of [order, other]) await reserve(body);
    const ids = (await fulfil(order)).seats.map(
      (each: { registrationId: string }) => each.registrationId,
    );
    const otherRegistrationId = (await fulfil(other)).seats[0].registrationId;
    expect((await revoke(order.reservationId)).toSorted()).toEqual(ids.toSorted());
    expect(await revoke(order.reservationId)).toEqual([]);
    for (const id of ids) expect((await read(id)).status).toBe('cancelled');
    expect((await read(otherRegistrationId)).status).toBe('confirmed');
    expect(await availability()).toMatchObject({ confirmed: 1, remaining: 2 });
  });

  test('that created nothing cancels nothing', async () => {
    expect(await revoke(unique('ord'))).toEqual([]);
  });

  test('leaves a registration that existed before it', async () => {
    const body = reservationInput();
    await reserve(body);
    const { email } = body.buyer;
    const { id } = await register(call, scope, { email, registrationTypeId: typeId });
    await fulfil(body);
    expect(await revoke(body.reservationId)).toEqual([]);
    expect((await read(id)).status).toBe('confirmed');
  });
});
