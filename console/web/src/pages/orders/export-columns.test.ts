import { describe, expect, test } from 'vitest';
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
  totalAmount: 32_000,
  changesAmount: 550,
  taxAmount: 51_97,
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
    ID: 'ord_1',
    Order: 'ORD-7K3M9QXA',
    Buyer: 'Ada',
    'Email of the buyer': 'ada@example.com',
    Status: 'Partly refunded',
    Currency: 'EUR',
    Total: '325.50',
    Refunded: '5.00',
    Net: '320.50',
    Items: '2 × Conference pass, 1 × Dinner',
    People: 'Ada; bob@e.de',
    Code: null,
    'Placed (Europe/Berlin)': '2027-05-10 00:30',
    'Paid (Europe/Berlin)': '2027-05-10 00:31',
  });
});

test('amounts of a currency without decimals have none', () => {
  const row = rowOf(exported(event, { finance: 'Finance' }).columns, { ...order, currency: 'JPY' });
  expect([row.Total, row.Refunded, row.Net]).toEqual(['32550', '500', '32050']);
});

describe('the file for finance', () => {
  const [finance] = exported(event, { finance: 'Finance' }).others;
  const unpaid = { ...order, paidAt: null, refundedAmount: 0, refundDueAmount: 0 } as Order;

  test('has what is left of a payment, and what is due', () => {
    expect(rowOf(finance?.columns ?? [], order)).toMatchObject({
      'Tax in the total': '51.97',
      Net: '320.50',
      'To be paid': '0.00',
      'Refund due': '0.05',
    });
  });

  test('has what a buyer has still to pay', () => {
    const row = rowOf(finance?.columns ?? [], { ...unpaid, status: 'awaiting_payment' });
    expect(row).toMatchObject({ Status: 'Awaiting payment', 'To be paid': '325.50', Net: null });
  });

  test.each<[string, Order, boolean]>([
    ['a paid order', order, true],
    ['an order whose payment is awaited', { ...unpaid, status: 'awaiting_payment' }, true],
    ['money that is due', { ...unpaid, status: 'refund_due', refundDueAmount: 5 }, true],
    ['an expired order', { ...unpaid, status: 'expired' }, false],
    ['a cancelled order', { ...unpaid, status: 'cancelled' }, false],
    ['a held order', { ...unpaid, status: 'held' }, false],
  ])('with %s: %s', (_what, of, isIncluded) => {
    expect(finance?.isIncluded(of)).toBe(isIncluded);
  });
});

test('an order without items has no people', () => {
  expect(peopleOf({ items: [] })).toBe('');
});
