import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, service, typeId, useRegistration } from '../context.ts';
import { someEmail, unique } from '../fixtures.ts';
import { register } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const {
  seat,
  reservationInput,
  reserve,
  fulfil,
  release,
  revoke,
  revokeSeats,
  handedOver,
  expire,
  availability,
  read,
} = orders(currentEvent);

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

  describe('whose registration another order lists', () => {
    /** Creates fulfilled orders for one person. The first one created the registration. */
    async function ordersOfOnePerson(count: number) {
      const email = someEmail();
      const bodies = Array.from({ length: count }, () => reservationInput([seat(typeId, email)]));
      for (const body of bodies) await reserve(body);
      const results: { seats: { registrationId: string; created: boolean }[] }[] = [];
      for (const body of bodies) results.push(await fulfil(body));
      expect(results.map(({ seats }) => seats[0]?.created)).toEqual(bodies.map((_, n) => n === 0));
      const id = results[0]?.seats[0]?.registrationId ?? '';
      return { id, orderIds: bodies.map(({ reservationId }) => reservationId) };
    }
    const listings = () =>
      service.sql(
        'select order_id from registration.registration_order where business_unit_id = $1',
        [scope.businessUnitId],
      );

    test('hands it over, and the revocation of the last order cancels it', async () => {
      const { id, orderIds } = await ordersOfOnePerson(3);
      const [first = '', second = '', third = ''] = orderIds;
      expect(await revoke(first)).toEqual([]);
      expect(await read(id)).toMatchObject({ status: 'confirmed', orderId: second });
      expect(await revoke(first)).toEqual([]);
      expect(await revoke(third)).toEqual([]);
      expect(await read(id)).toMatchObject({ status: 'confirmed', orderId: second });
      expect(await revoke(second)).toEqual([id]);
      expect(await read(id)).toMatchObject({ status: 'cancelled', orderId: second });
      expect(await listings()).toEqual([]);
      expect(await availability()).toMatchObject({ confirmed: 0, held: 0, remaining: 3 });
    });

    test('returns which order has it now, again for each repeated request', async () => {
      const { id, orderIds } = await ordersOfOnePerson(3);
      const [first = '', second = '', third = ''] = orderIds;
      const ofSecond = [{ registrationId: id, orderId: second, ticketTypeId: typeId }];
      for (const _ of [1, 2]) expect(await handedOver(first)).toEqual(ofSecond);
      expect(await handedOver(second)).toEqual([{ ...ofSecond[0], orderId: third }]);
      expect(await handedOver(third)).toEqual([]);
      expect(await handedOver(first)).toEqual([]);
    });

    test('does not hand it over to an order whose seat was revoked', async () => {
      const { id, orderIds } = await ordersOfOnePerson(3);
      const [first = '', second = '', third = ''] = orderIds;
      expect(await revokeSeats(second, [id])).toEqual([]);
      expect(await read(id)).toMatchObject({ status: 'confirmed', orderId: first });
      expect(await revoke(first)).toEqual([]);
      expect(await read(id)).toMatchObject({ status: 'confirmed', orderId: third });
      expect(await revokeSeats(third, [id])).toEqual([id]);
      expect(await listings()).toEqual([]);
    });

    test('revokes only the seats of the request, and keeps the rest of the order', async () => {
      const order = reservationInput([seat(), seat()]);
      await reserve(order);
      const [one, other] = (await fulfil(order)).seats;
      expect(await revokeSeats(order.reservationId, [one.registrationId])).toEqual([
        one.registrationId,
      ]);
      expect((await read(other.registrationId)).status).toBe('confirmed');
    });

    test('cancels it once when all orders are revoked at the same time', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, orderIds } = await ordersOfOnePerson(3);
        const cancelled = await Promise.all(orderIds.map(revoke));
        expect(cancelled.flat()).toEqual([id]);
        expect((await read(id)).status).toBe('cancelled');
      }
      expect(await listings()).toEqual([]);
    });

    test('keeps it when all orders but one are revoked at the same time', async () => {
      for (let round = 0; round < 3; round++) {
        const { id, orderIds } = await ordersOfOnePerson(3);
        const kept = orderIds[round] ?? '';
        const others = orderIds.filter((orderId) => orderId !== kept);
        expect((await Promise.all(others.map(revoke))).flat()).toEqual([]);
        expect(await read(id)).toMatchObject({ status: 'confirmed', orderId: kept });
        await revoke(kept);
      }
    });

    test('shows the change in the list of changes', async () => {
      const { id, orderIds } = await ordersOfOnePerson(2);
      const path = `/v1/events/${scope.eventId}/registrations?updatedSince=2020-01-01T00:00:00Z`;
      await register(call, scope, { registrationTypeId: typeId });
      await revoke(orderIds[0] ?? '');
      const { body } = await call('GET', path);
      expect(body.registrations.at(-1).id).toBe(id);
    });
  });
});
