import { describe, expect, test } from 'vitest';
import { call, currentEvent, scope, service, useRegistration } from '../context.ts';
import { createTestEvent, createTestTicketType } from '../fixtures.ts';
import { register } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const { reservationInput, reserve, fulfil, revoke, fulfilled, seat } = orders(currentEvent);

useRegistration();

describe('the fulfilled reservations', () => {
  const page = () => ({ businessUnitId: scope.businessUnitId, after: '', limit: 10 });

  test('contain the active registrations of each fulfilled order, and no open hold', async () => {
    const [two, revoked, open] = [
      reservationInput([seat(), seat()]),
      reservationInput(),
      reservationInput(),
    ];
    for (const body of [two, revoked, open]) await reserve(body);
    const { seats } = await fulfil(two);
    await fulfil(revoked);
    await revoke(revoked.reservationId);
    const ids = seats.map(({ registrationId }: { registrationId: string }) => registrationId);
    const expected = [
      {
        ...scope,
        orderId: two.reservationId,
        registrationIds: ids.toSorted(),
        units: [],
        typeChanges: [],
      },
      { ...scope, orderId: revoked.reservationId, registrationIds: [], units: [], typeChanges: [] },
    ];
    expect(await fulfilled(page())).toEqual(
      expected.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1)),
    );
  });

  test('contain no offer of the waitlist, also after it has been taken', async () => {
    const priced = { capacity: 1, allowWaitlist: true, priceAmount: 2500 };
    const typeId = await createTestTicketType(service.sql, scope, priced);
    const bodyOf = (email: string) => reservationInput([seat(typeId, email)], { price: 'charged' });
    const first = await register(call, scope, { registrationTypeId: typeId });
    const waiting = await register(call, scope, { registrationTypeId: typeId });
    await call('POST', `/v1/events/${scope.eventId}/registrations/${first.id}/cancel`);
    const order = bodyOf(waiting.email);
    await reserve(order);
    await fulfil(order);
    const offers = await service.sql(
      `select state from registration.seat_reservation where registration_id = $1`,
      [waiting.id],
    );
    expect(offers).toEqual([{ state: 'fulfilled' }]);
    expect(await fulfilled(page())).toEqual([
      {
        ...scope,
        orderId: order.reservationId,
        registrationIds: [waiting.id],
        units: [],
        typeChanges: [],
      },
    ]);
  });

  test('are read page by page, and those of one business unit without those of others', async () => {
    const inputs = Array.from({ length: 3 }, () => reservationInput());
    const foreignScope = await createTestEvent(service.sql);
    const foreignType = await createTestTicketType(service.sql, foreignScope);
    const foreign = { ...reservationInput([seat(foreignType)]), ...foreignScope };
    for (const body of [...inputs, foreign]) {
      await reserve(body);
      await fulfil(body);
    }
    const idsOf = (rows: object[]) => rows.map((row) => (row as { orderId: string }).orderId);
    const ids = inputs.map(({ reservationId }) => reservationId).toSorted();
    const first = idsOf(await fulfilled({ ...page(), limit: 2 }));
    expect(first).toEqual(ids.slice(0, 2));
    expect(idsOf(await fulfilled({ ...page(), after: first[1] }))).toEqual(ids.slice(2));
    const all = await fulfilled({ ...page(), businessUnitId: null, limit: 1000 });
    expect(idsOf(all)).toEqual(expect.arrayContaining([...ids, foreign.reservationId]));
  });
});
