import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId, randomId } from '@event-api/platform/core/ids';
import { beforeEach, expect, test } from 'vitest';
import {
  findOrdersByEmail,
  findOrdersByIds,
  findOrdersByNumber,
} from '../src/persons/persons.queries.ts';
import { database, db, useDatabase } from './context.ts';

let scope: EventScope;
let other: EventScope;

useDatabase();
beforeEach(async () => {
  const businessUnitId = newId('unit');
  scope = await createEvent(businessUnitId);
  other = await createEvent(businessUnitId);
});

async function createEvent(businessUnitId: string): Promise<EventScope> {
  const eventId = newId('evt');
  await database.sql(
    `insert into commerce.event_projection (id, business_unit_id, event_id, version, name, status, currency, currency_locked)
     values ($1, $2, $1, 1, 'Summit', 'published', 'EUR', true)`,
    [eventId, businessUnitId],
  );
  return { businessUnitId, eventId };
}

/** Stores an order of this day of 2027. */
async function createOrder(email: string, day: number, { businessUnitId, eventId } = scope) {
  const id = randomId('ord');
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at)
     values ($1, $2, $3, upper($1), $4, 'paid', 'EUR', 0, '[]', '{}', now(), make_timestamptz(2027, 1, $5, 0, 0, 0), now())`,
    [id, businessUnitId, eventId, email, day],
  );
  return id;
}

const inUnit = () => ({ businessUnitId: scope.businessUnitId, eventId: null });
const idsOf = async (found: Promise<{ id: string }[]>) => (await found).map(({ id }) => id);

test('the orders of an email are found in any case of its letters, newest first, in all events or in one', async () => {
  const first = await createOrder('Ada@example.com', 1);
  const second = await createOrder('ada@example.com', 2, other);
  const third = await createOrder('ada@example.com', 3);
  await createOrder('bob@example.com', 4);
  const email = 'ada@example.com';
  expect(await idsOf(findOrdersByEmail(db, inUnit(), email))).toEqual([third, second, first]);
  expect(await idsOf(findOrdersByEmail(db, scope, email))).toEqual([third, first]);
  const stranger = await createEvent(newId('unit'));
  expect(await idsOf(findOrdersByEmail(db, stranger, email))).toEqual([]);
});

test('orders are found by number and by id in their business unit and event only', async () => {
  const id = await createOrder('ada@example.com', 1);
  const another = await createOrder('ada@example.com', 2, other);
  const stranger = { businessUnitId: newId('unit'), eventId: null };
  const number = id.toUpperCase();
  expect(await idsOf(findOrdersByNumber(db, inUnit(), number))).toEqual([id]);
  expect(await idsOf(findOrdersByNumber(db, other, number))).toEqual([]);
  expect(await idsOf(findOrdersByNumber(db, stranger, number))).toEqual([]);
  expect(await idsOf(findOrdersByIds(db, inUnit(), [id, another]))).toEqual([another, id]);
  expect(await idsOf(findOrdersByIds(db, scope, [id, another]))).toEqual([id]);
  expect(await idsOf(findOrdersByIds(db, stranger, [id, another]))).toEqual([]);
});

test('one order more than are shown is read', async () => {
  for (let n = 0; n < 102; n++) await createOrder('many@example.com', 1 + (n % 28));
  expect(await findOrdersByEmail(db, inUnit(), 'many@example.com')).toHaveLength(101);
});
