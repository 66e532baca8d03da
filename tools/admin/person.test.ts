import type { Operation } from '@event-api/contracts/operation';
import { findCheckins, findOrders, findRegistrations } from '@event-api/contracts/operator/persons';
import { describe, expect, test } from 'vitest';
import { type OperatorClient, OperatorError, PlatformUnreachableError } from './operator-client.ts';
import { collectPerson } from './person.ts';

const unit = { businessUnitId: 'unit_1' };

/** A client of services that know these responses; others fail. Records the inputs. */
function clientOf(responses: Map<Operation, (input: Record<string, unknown>) => unknown>) {
  const calls: [string, unknown][] = [];
  const client = {
    async call(operation: Operation, input: Record<string, unknown>) {
      calls.push([operation.config.operationId, input]);
      const respond = responses.get(operation);
      if (!respond) throw new PlatformUnreachableError(new Error('no connection'));
      return respond(input);
    },
  } as unknown as Pick<OperatorClient, 'call'>;
  return { client, calls };
}

const registration = { id: 'reg_1', email: 'ada@example.com', orderId: 'ord_2' };
const order = (id: string, placedAt: string) => ({ id, placedAt, email: 'ada@example.com' });

const registrations = () => ({ registrations: [registration], isComplete: true });
const checkins = () => ({ checkins: [{ id: 'chk_1' }], isComplete: true });
const orders = ({ orderIds }: Record<string, unknown>) => ({
  orders: orderIds
    ? [order('ord_2', '2027-02')]
    : [order('ord_3', '2027-03'), order('ord_1', '2027-01')],
  isComplete: true,
});

const all = new Map<Operation, (input: Record<string, unknown>) => unknown>([
  [findRegistrations, registrations],
  [findOrders, orders],
  [findCheckins, checkins],
]);

const without = (...away: Operation[]) => new Map([...all].filter(([one]) => !away.includes(one)));

describe('a person', () => {
  test('has the orders of the email and those that created its registrations, newest first', async () => {
    const { client, calls } = clientOf(all);
    expect(await collectPerson(client, { ...unit, email: 'ada@example.com' })).toMatchObject({
      email: 'ada@example.com',
      registrations: [registration],
      orders: [{ id: 'ord_3' }, { id: 'ord_2' }, { id: 'ord_1' }],
      checkins: [{ id: 'chk_1' }],
      missing: [],
    });
    expect(calls).toContainEqual(['checkin.find', { ...unit, registrationIds: ['reg_1'] }]);
  });

  test.each([
    ['checkinCode', { checkinCode: 'CHK-1' }],
    ['orderNumber', { orderNumber: 'ORD-1' }],
  ])('is found by %s, or is a 404 that names the field', async (field, key) => {
    const { client, calls } = clientOf(all);
    const scope = { ...unit, eventId: 'evt_1' };
    expect(await collectPerson(client, { ...scope, ...key })).toMatchObject({
      email: 'ada@example.com',
      missing: [],
    });
    expect(calls[0]?.[1]).toEqual({ ...scope, ...key });
    const nothing = clientOf(
      new Map<Operation, () => unknown>([
        [findRegistrations, () => ({ registrations: [], isComplete: true })],
        [findOrders, () => ({ orders: [], isComplete: true })],
      ]),
    );
    await expect(collectPerson(nothing.client, { ...unit, ...key })).rejects.toMatchObject({
      code: 404,
      details: [{ field, code: 'not_found' }],
    });
  });
});

describe('a part whose service does not respond', () => {
  const show = (responses: typeof all) =>
    collectPerson(clientOf(responses).client, { ...unit, email: 'ada@example.com' });

  test('is null and reported, and the others are shown', async () => {
    const person = await show(without(findOrders));
    expect(person).toMatchObject({ registrations: [registration], orders: null });
    expect(person.checkins).toHaveLength(1);
    const reason = 'commerce does not respond';
    expect(person.missing).toEqual([{ part: 'orders', owner: 'commerce', reason }]);
  });

  test('also means a 503, but no other error', async () => {
    const failing = (status: number) =>
      new Map(all).set(findCheckins, () => {
        throw new OperatorError('checkin.find', status, {});
      });
    expect(await show(failing(503))).toMatchObject({
      checkins: null,
      missing: [{ part: 'checkins', owner: 'onsite' }],
    });
    await expect(show(failing(401))).rejects.toThrow('401');
  });

  test('takes the check-ins with it if it is registration', async () => {
    const person = await show(without(findRegistrations));
    expect(person).toMatchObject({ registrations: null, checkins: null });
    expect(person.orders).toHaveLength(2);
    expect(person.missing.map(({ part }) => part)).toEqual(['registrations', 'checkins']);
  });

  test('differs from a part with more records than are listed', async () => {
    const many = new Map(all).set(findOrders, () => ({ orders: [], isComplete: false }));
    const person = await show(many);
    expect(person.orders).toEqual([]);
    expect(person.missing).toEqual([
      { part: 'orders', owner: 'commerce', reason: 'only the newest 100 are listed' },
    ]);
  });
});
