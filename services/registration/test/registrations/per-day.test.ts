import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { permissionsOfRole, roles } from '@event-api/contracts/permissions';
import { describe, expect, test } from 'vitest';
import { readDayCounts } from '../../src/registrations/per-day/per-day.queries.ts';
import { call, eventPath, operator, scope, service, typeId, useRegistration } from '../context.ts';
import { createTestEvent, createTestTicketType, someEmail } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

useRegistration();

const berlin = 'Europe/Berlin';

const countPerDay = (from: string, to: string, fields: object = {}) =>
  operator('POST', '/operator/registration.countPerDay', {
    body: { ...scope, from, to, ...fields },
  });

/** Registers a person at this instant and returns the id. */
async function registerAt(instant: string, registrationTypeId = typeId): Promise<string> {
  const { id } = await register(call, scope, { email: someEmail(), registrationTypeId });
  await service.sql('update registration.registration set registered_at = $2 where id = $1', [
    id,
    instant,
  ]);
  return id;
}

/** The counts of days in a row, without the command, which counts once in two seconds. */
async function countsOf(
  from: string,
  to: string,
  timezone = berlin,
): Promise<Record<string, number>> {
  const days = await readDayCounts(service.replica(0).db, scope, { from, to, timezone });
  return Object.fromEntries(days.map(({ day, registrations }) => [day, registrations]));
}

describe('the registrations per day', () => {
  test('are those without an order, too, on every day of the period, in the time zone of the event', async () => {
    await registerAt('2027-05-09T21:59:59.999Z');
    await registerAt('2027-05-09T22:00:00Z');
    const ofOrder = await registerAt('2027-05-10T21:59:59.999Z');
    await service.sql('update registration.registration set order_id = $2 where id = $1', [
      ofOrder,
      'ord_01k8zq4m3ne7rbj5t2xw9vd6ah',
    ]);
    expect(succeeded(await countPerDay('2027-05-09', '2027-05-12'))).toEqual({
      timezone: berlin,
      days: [
        { day: '2027-05-09', registrations: 1 },
        { day: '2027-05-10', registrations: 2 },
        { day: '2027-05-11', registrations: 0 },
      ],
    });
    // The invariants that are checked at the end know no such order.
    await service.sql('update registration.registration set order_id = null where id = $1', [
      ofOrder,
    ]);
  });

  test('are the confirmed ones, and stay after a cancellation; nobody else has a seat', async () => {
    const approved = await createTestTicketType(service.sql, scope, { requiresApproval: true });
    const full = await createTestTicketType(service.sql, scope, {
      capacity: 0,
      allowWaitlist: true,
    });
    const at = '2027-05-10T12:00:00Z';
    const counts = () => countsOf('2027-05-10', '2027-05-11');
    const post = async (id: string, verb: string) =>
      succeeded(await call('POST', `${eventPath}/registrations/${id}/${verb}`, { body: {} }));
    const confirmed = await registerAt(at);
    expect(await counts()).toEqual({ '2027-05-10': 1 });
    const [pending, rejected] = [await registerAt(at, approved), await registerAt(at, approved)];
    await registerAt(at, full);
    await post(rejected, 'reject');
    const rows = await service.sql<{ status: RegistrationStatus }>(
      'select status from registration.registration where event_id = $1 order by status',
      [scope.eventId],
    );
    expect(rows.map(({ status }) => status)).toEqual([
      'confirmed',
      'pending',
      'rejected',
      'waitlisted',
    ]);
    expect(await counts()).toEqual({ '2027-05-10': 1 });
    await post(pending, 'approve');
    expect(await counts()).toEqual({ '2027-05-10': 2 });
    await post(confirmed, 'cancel');
    expect(await counts()).toEqual({ '2027-05-10': 2 });
  });

  test.each([
    [
      'the day of 23 hours in Berlin',
      berlin,
      '2027-03-28',
      '2027-03-27T23:00Z',
      '2027-03-28T22:00Z',
    ],
    [
      'the day of 25 hours in Berlin',
      berlin,
      '2027-10-31',
      '2027-10-30T22:00Z',
      '2027-10-31T23:00Z',
    ],
    // The clocks skip the first hour of this day.
    [
      'a day without midnight',
      'Africa/Cairo',
      '2027-04-30',
      '2027-04-29T22:00Z',
      '2027-04-30T21:00Z',
    ],
  ])('begin and end with %s', async (_, timezone, day, start, end) => {
    const before = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();
    for (const instant of [before(start), start, before(end), end]) await registerAt(instant);
    const dayFrom = (offset: number) =>
      new Date(Date.parse(day) + offset * 86_400_000).toISOString().slice(0, 10);
    expect(await countsOf(dayFrom(-1), dayFrom(2), timezone)).toEqual({
      [dayFrom(-1)]: 1,
      [day]: 2,
      [dayFrom(1)]: 1,
    });
  });

  test('are counted for operators who ask at a time twice at most, and then with what has happened before they asked', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    service.owner.timezone = 'UTC';
    const first = succeeded(await countPerDay(today, tomorrow));
    await registerAt(`${today}T12:00:00Z`);
    const all = await Promise.all(Array.from({ length: 20 }, () => countPerDay(today, tomorrow)));
    service.owner.timezone = berlin;
    expect(first.days).toEqual([{ day: today, registrations: 0 }]);
    for (const response of all) {
      expect(succeeded(response).days).toEqual([{ day: today, registrations: 1 }]);
    }
  });

  test('are found through their business unit only, with the 404 of an event that does not exist', async () => {
    await registerAt('2027-05-10T12:00:00Z');
    const period = ['2027-05-10', '2027-05-11'] as const;
    succeeded(await countPerDay(...period));
    const { businessUnitId } = await createTestEvent(service.sql);
    const foreign = await countPerDay(...period, { businessUnitId });
    const missing = await countPerDay(...period, { eventId: 'evt_01k8zq4m3ne7rbj5t2xw9vd6ah' });
    expect(errorSummary(foreign)).toEqual([404, 'eventId']);
    const withoutId = ({ body }: typeof foreign) =>
      JSON.stringify({ ...body.error, requestId: undefined });
    expect(withoutId(foreign)).toBe(withoutId(missing));
    const other = { ...scope, businessUnitId };
    const { db } = service.replica(0);
    const days = await readDayCounts(db, other, {
      from: '2027-05-10',
      to: '2027-05-11',
      timezone: berlin,
    });
    expect(days).toEqual([{ day: '2027-05-10', registrations: 0 }]);
  });

  test('are read by every role, because each one reads the list of people', async () => {
    for (const role of roles) {
      const person = await service.person(scope.businessUnitId, permissionsOfRole(role));
      const body = { ...scope, from: '2027-05-10', to: '2027-05-11' };
      succeeded(await person('POST', '/operator/registration.countPerDay', { body }));
    }
    const stranger = await service.person(scope.businessUnitId, ['orders.list']);
    const body = { ...scope, from: '2027-05-10', to: '2027-05-11' };
    const denied = await stranger('POST', '/operator/registration.countPerDay', { body });
    expect(denied.status).toBe(403);
  });

  test('are a 503 while catalog, which knows the time zone, does not respond', async () => {
    service.owner.isUnavailable = true;
    expect((await countPerDay('2027-05-10', '2027-05-11')).status).toBe(503);
  });
});
