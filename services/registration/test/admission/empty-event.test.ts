import { disableGuard } from '@event-api/platform/testing/switches/switches';
import { describe, expect, test } from 'vitest';
import { call, calls, inside, scope, service, typeId, useRegistration } from '../context.ts';
import { createTestTicketType, someEmail } from '../fixtures.ts';
import { errorSummary, succeeded } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

useRegistration({ replicas: 2 });

const at = () => ({ service, inside, call, scope, typeId });
const { reservationInput, reserve, fulfil, post } = orders(at);

const empty = async (limit = 100): Promise<number> =>
  succeeded(await post('/internal/events/empty', { ...scope, limit })).left;

const counts = async () => succeeded(await post('/internal/events/count-active', scope));

const registerAs = (client: typeof call, registrationTypeId = typeId) =>
  client('POST', `/v1/events/${scope.eventId}/registrations`, {
    body: { email: someEmail(), registrationTypeId },
  });

const isActive = async (): Promise<object[]> =>
  service.sql(
    `select id from registration.registration where event_id = $1 and active_email is not null
     union all select id from registration.seat_reservation where event_id = $1 and state in ('active', 'taken')`,
    [scope.eventId],
  );

describe('an event that is emptied', () => {
  test('loses its registrations in every state, its offers and its reservations, part by part', async () => {
    const priced = await createTestTicketType(service.sql, scope, {
      ...{ capacity: 1, priceAmount: 100, allowWaitlist: true },
    });
    const applied = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    for (let n = 0; n < 3; n++) await registerAs(call);
    await registerAs(call, applied);
    const { registration: first } = succeeded(await registerAs(call, priced), 201);
    for (let n = 0; n < 2; n++) await registerAs(call, priced);
    // The freed seat is offered to the first person who waits.
    await call('POST', `/v1/events/${scope.eventId}/registrations/${first.id}/cancel`);
    await reserve(reservationInput());
    expect(await counts()).toEqual({ confirmed: 3, pending: 1, waitlisted: 2, reservations: 1 });
    expect(await empty(2)).toBe(4);
    expect(await empty(2)).toBe(2);
    expect(await empty(2)).toBe(0);
    expect(await empty()).toBe(0);
    expect(await isActive()).toEqual([]);
    expect(await counts()).toEqual({ confirmed: 0, pending: 0, waitlisted: 0, reservations: 0 });
  });

  test('tells its registrations from those that ended before it', async () => {
    const cancel = (id: string) =>
      call('POST', `/v1/events/${scope.eventId}/registrations/${id}/cancel`);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      ids.push(succeeded(await registerAs(call), 201).registration.id);
    }
    const [before = '', meanwhile = '', after = ''] = ids;
    succeeded(await cancel(before));
    // Two of four are left, and one of them is cancelled by itself.
    expect(await empty(1)).toBe(2);
    for (const id of [meanwhile, after]) succeeded(await cancel(id));
    expect(await empty()).toBe(0);
    const rows = await service.sql<{ id: string; ended: boolean | null }>(
      'select id, ended_with_event as ended from registration.registration where event_id = $1',
      [scope.eventId],
    );
    const ended = new Map(rows.map(({ id, ended: withEvent }) => [id, withEvent]));
    expect(ids.map((id) => ended.get(id))).toEqual([false, true, true, true]);
  });

  test('is closed at both replicas before the projection knows of its cancellation', async () => {
    expect(await empty()).toBe(0);
    for (const client of calls) {
      expect(errorSummary(await registerAs(client))).toEqual([412, 'EVENT_ARCHIVED']);
    }
  });

  test('is open without the mark on the row that admission locks', async () => {
    disableGuard('event-cancel.close');
    expect(await empty()).toBe(0);
    expect((await registerAs(call)).status).toBe(201);
  });

  test('fulfils no order any more, and returns the result of one that was fulfilled', async () => {
    const [before, after] = [reservationInput(), reservationInput()];
    await reserve(before);
    const fulfilled = await fulfil(before);
    await reserve(after);
    expect(await empty()).toBe(0);
    expect(await fulfil(before)).toEqual(fulfilled);
    expect(await fulfil(after)).toEqual({ outcome: 'released' });
    // Its reservation was never made, as after an expiry.
    expect(await fulfil(reservationInput(), true)).toEqual({ outcome: 'unfulfillable' });
    expect(await isActive()).toEqual([]);
  });

  test('fulfils a late order without the guard', async () => {
    expect(await empty()).toBe(0);
    disableGuard('event-cancel.fulfil');
    expect(await fulfil(reservationInput(), true)).toMatchObject({ outcome: 'fulfilled' });
    expect(await isActive()).toHaveLength(1);
  });

  test('keeps nothing of what races with it', async () => {
    const racing = Array.from({ length: 24 }, async (_, n) => {
      const client = calls[n % 2 === 0 ? 0 : 1];
      if (n % 3 === 0) return registerAs(client);
      const order = reservationInput();
      const { outcome } = await reserve(order);
      return outcome === 'reserved' ? fulfil(order) : null;
    });
    const emptied = Promise.all([empty(3), empty(5), empty(7)]);
    await Promise.all([...racing, emptied]);
    await expect.poll(() => empty()).toBe(0);
    expect(await isActive()).toEqual([]);
    expect(errorSummary(await registerAs(call))).toEqual([412, 'EVENT_ARCHIVED']);
  });
});
