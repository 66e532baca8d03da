import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, service, typeId, useRegistration } from '../context.ts';
import { someEmail } from '../fixtures.ts';
import { violatedInvariants } from '../invariants.ts';
import { type AddonFields, createTestAddon, register } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

useRegistration();

const { seat, reservationInput, reserve, fulfil, release, revoke, revokeSeats, expire } =
  orders(currentEvent);

const addon = (fields: AddonFields = {}) => createTestAddon(service.sql, scope, [], fields);

/** An order of a seat and of units of an add-on, by default for its buyer. */
const orderOf = (addonId: string, quantity: number, seats = [seat()], fields: object = {}) =>
  reservationInput(seats, {
    addonIds: [addonId],
    addonUnits: [{ addonId, quantity, inBundle: false }],
    ...fields,
  });

/** How many units of the add-on are sold and held. */
async function units(addonId: string): Promise<{ sold: number; held: number }> {
  const [row] = await service.sql<{ sold: number; held: number }>(
    'select confirmed as sold, reserved as held from registration.seat_ledger where ticket_type_id = $1',
    [addonId],
  );
  return row ?? { sold: 0, held: 0 };
}

describe('the units of an add-on', () => {
  test('are held, then sold, and returned when the order is revoked', async () => {
    const id = await addon({ capacity: 3 });
    const order = orderOf(id, 3);
    await reserve(order);
    expect(await units(id)).toEqual({ sold: 0, held: 3 });
    expect(await reserve(orderOf(id, 1))).toEqual({
      outcome: 'refused',
      reason: 'ADDON_SOLD_OUT',
      unit: 0,
      unitsLeft: 0,
      unitsRequested: 1,
    });
    await fulfil(order);
    await fulfil(order);
    expect(await units(id)).toEqual({ sold: 3, held: 0 });
    await revoke(order.reservationId);
    await revoke(order.reservationId);
    expect(await units(id)).toEqual({ sold: 0, held: 0 });
    expect(await violatedInvariants(service.sql)).toEqual({});
  });

  test.each(['released', 'expired'])('are returned when the hold is %s', async (how) => {
    const id = await addon({ capacity: 2 });
    const order = orderOf(id, 2);
    await reserve(order);
    if (how === 'released') await release(order);
    else await expire(order);
    expect(await reserve(orderOf(id, 2))).toMatchObject({ outcome: 'reserved' });
    expect(await units(id)).toEqual({ sold: 0, held: 2 });
  });

  test('of an expired hold are returned with the next registration of the event', async () => {
    const id = await addon({ capacity: 2 });
    const order = orderOf(id, 2);
    await reserve(order);
    await expire(order);
    await register(call, scope, { registrationTypeId: typeId, email: someEmail() });
    expect(await units(id)).toEqual({ sold: 0, held: 0 });
    expect(await violatedInvariants(service.sql)).toEqual({});
  });

  test('are returned once when the registration is cancelled and then its order revoked', async () => {
    const id = await addon({ capacity: 5 });
    const order = orderOf(id, 2);
    await reserve(order);
    const { seats } = await fulfil(order);
    const path = `/v1/events/${scope.eventId}/registrations/${seats[0].registrationId}/cancel`;
    expect((await call('POST', path)).status).toBe(200);
    expect(await units(id)).toEqual({ sold: 0, held: 0 });
    const other = orderOf(id, 1);
    await reserve(other);
    await fulfil(other);
    await revoke(order.reservationId);
    expect(await units(id)).toEqual({ sold: 1, held: 0 });
  });

  test('are returned with the seats that are revoked, and only theirs', async () => {
    const id = await addon({ capacity: 5 });
    const seats = [seat(), seat()];
    const addons = [{ addonId: id, emails: seats.map(({ email }) => email) }];
    const order = orderOf(id, 2, seats, { addons });
    await reserve(order);
    const { seats: delivered } = await fulfil(order);
    await revokeSeats(order.reservationId, [delivered[0].registrationId]);
    expect(await units(id)).toEqual({ sold: 1, held: 0 });
    expect(await violatedInvariants(service.sql)).toEqual({});
  });

  // Both orders, because the batch decides the requests as they come.
  test.each([[[3, 2]], [[2, 3]]])(
    'are returned in one batch down to the fewest that are kept: %j',
    async (kept) => {
      const id = await addon({ capacity: 5 });
      const order = orderOf(id, 4);
      await reserve(order);
      const { seats } = await fulfil(order);
      const { admission } = service.replica(0);
      const orderId = order.reservationId;
      const keep = (quantity: number) => [
        { registrationId: seats[0].registrationId, addonId: id, quantity },
      ];
      await Promise.all(
        kept.map((quantity) =>
          admission.submit(scope, { kind: 'return_units', orderId, units: keep(quantity) }),
        ),
      );
      expect(await units(id)).toEqual({ sold: 2, held: 0 });
      expect(await violatedInvariants(service.sql)).toEqual({});
    },
  );

  test('of an order for a registered person are returned without the registration', async () => {
    const id = await addon({ capacity: 5 });
    const { email } = await register(call, scope, { registrationTypeId: typeId });
    const order = orderOf(id, 4, [], { buyer: { email, name: null } });
    await reserve(order);
    await fulfil(order);
    expect(await units(id)).toEqual({ sold: 4, held: 0 });
    await revoke(order.reservationId);
    expect(await units(id)).toEqual({ sold: 0, held: 0 });
  });

  test('are taken again for a late payment only if they are left', async () => {
    const id = await addon({ capacity: 2 });
    const [late, second] = [orderOf(id, 2), orderOf(id, 1)];
    await reserve(late);
    await expire(late);
    await reserve(second);
    expect(await fulfil(late, true)).toEqual({ outcome: 'unfulfillable' });
    await release(second);
    expect(await fulfil(late, true)).toMatchObject({ outcome: 'fulfilled' });
    expect(await units(id)).toEqual({ sold: 2, held: 0 });
  });

  test('stay when the capacity is lowered below them, and no more are sold', async () => {
    const id = await addon({ capacity: 3 });
    const order = orderOf(id, 3);
    await reserve(order);
    const setCapacity = (capacity: number) =>
      service.sql(
        'update registration.addon_projection set capacity = $2, version = version + 1 where id = $1',
        [id, capacity],
      );
    await setCapacity(1);
    expect(await fulfil(order)).toMatchObject({ outcome: 'fulfilled' });
    expect(await reserve(orderOf(id, 1))).toMatchObject({ reason: 'ADDON_SOLD_OUT', unitsLeft: 0 });
    expect(await units(id)).toEqual({ sold: 3, held: 0 });
    await setCapacity(3);
  });

  test('are sold in their sale window only', async () => {
    const hour = 3_600_000;
    const early = await addon({ opensAt: new Date(Date.now() + hour) });
    const late = await addon({ closesAt: new Date(Date.now() - hour) });
    const reason = 'ADDON_NOT_ON_SALE';
    expect(await reserve(orderOf(early, 1))).toMatchObject({ reason, block: 'not_open_yet' });
    expect(await reserve(orderOf(late, 1))).toMatchObject({ reason, block: 'sale_ended' });
  });

  test('keep the limits per order, of ticket types too', async () => {
    const id = await addon({ minPerOrder: 2, maxPerOrder: 3 });
    expect(await reserve(orderOf(id, 1))).toMatchObject({
      reason: 'BELOW_ORDER_MINIMUM',
      unit: 0,
      limit: 2,
    });
    expect(await reserve(orderOf(id, 4))).toMatchObject({ reason: 'ABOVE_ORDER_MAXIMUM' });
    await service.sql(
      'update registration.ticket_type_projection set min_per_order = 2, version = version + 1 where id = $1',
      [typeId],
    );
    const alone = { reason: 'BELOW_ORDER_MINIMUM', seat: 0, limit: 2, requested: 1 };
    expect(await reserve(reservationInput())).toMatchObject(alone);
    expect(await reserve(reservationInput([seat(), seat()]))).toMatchObject({
      outcome: 'reserved',
    });
    // A registration is not an order.
    const single = await register(call, scope, { registrationTypeId: typeId, email: someEmail() });
    expect(single.status).toBe('confirmed');
  });
});
