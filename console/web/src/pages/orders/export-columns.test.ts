import { expect, test } from 'vitest';
import type { Event, Order } from '../../api/records.ts';
import { exported, peopleOf } from './export-columns.ts';

const attendee = (name: string | null, email: string) => ({ name, email });
const item = (name: string, quantity: number, attendees: object[] = []) => ({
  name,
  quantity,
  attendees,
});

const order = {
  id: 'ord_1',
  orderNumber: 'ORD-7K3M9QXA',
  name: 'Ada',
  email: 'ada@example.com',
  status: 'paid',
  currency: 'EUR',
  totalAmount: 32_550,
  refundedAmount: 5_00,
  refundDueAmount: 5,
  redemptionCode: null,
  placedAt: '2027-05-09T22:30:00.000Z',
  paidAt: '2027-05-09T22:31:00.000Z',
  items: [
    item('Conference pass', 2, [attendee('Ada', 'ada@example.com'), attendee(null, 'bob@e.de')]),
    item('Dinner', 1, [attendee('Ada', 'ada@example.com')]),
  ],
} as unknown as Order;

const event = { publicId: 'demo', timezone: 'Europe/Berlin' } as Event;

const rowOf = (columns: ReturnType<typeof exported>['columns'], of: Order) =>
  Object.fromEntries(columns.map(({ header, value }) => [header, value(of)]));

test('an order has decimals of its currency, times of the event, its items and its people', () => {
  expect(rowOf(exported(event, { finance: 'Finance' }).columns, order)).toEqual({
    id: 'ord_1',
    number: 'ORD-7K3M9QXA',
    name: 'Ada',
    email: 'ada@example.com',
    status: 'paid',
    currency: 'EUR',
    total: '325.50',
    refunded: '5.00',
    net: '320.50',
    items: '2 × Conference pass, 1 × Dinner',
    people: 'Ada; bob@e.de',
    code: null,
    'placed_at (Europe/Berlin)': '2027-05-10 00:30',
    'paid_at (Europe/Berlin)': '2027-05-10 00:31',
  });
});

test('amounts of a currency without decimals have none', () => {
  const row = rowOf(exported(event, { finance: 'Finance' }).columns, { ...order, currency: 'JPY' });
  expect([row.total, row.refunded, row.net]).toEqual(['32550', '500', '32050']);
});

test('the file for finance has the paid orders with what is due', () => {
  const [finance] = exported(event, { finance: 'Finance' }).others;
  expect(finance?.isIncluded(order)).toBe(true);
  expect(finance?.isIncluded({ ...order, paidAt: null })).toBe(false);
  expect(rowOf(finance?.columns ?? [], order)).toMatchObject({ net: '320.50', refund_due: '0.05' });
});

test('an order without items has no people', () => {
  expect(peopleOf({ items: [] })).toBe('');
});
