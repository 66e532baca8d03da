import { describe, expect, test } from 'vitest';
import type { Order } from '../../api/records.ts';
import { order, refund } from '../../components/ledger/order.fixture.ts';
import { isOutsidePolicy, refusedBy } from '../../components/ledger/refund.rules.ts';
import {
  countPeople,
  decideProgress,
  fitsFilters,
  itemsOf,
  partsOf,
  previewRefund,
  type RefundChoice,
  type RefundPreview,
  refundableOf,
  refundInput,
  refusedRefund,
  withOthers,
} from './orders.rules.ts';

const paidAt = '2027-01-01T10:00:00Z';
const sale = ['placed', 'payment', 'paid', 'fulfilled'];

test.each([
  ['held', {}, sale, 'placed', 'normal'],
  ['awaiting_payment', {}, sale, 'payment', 'normal'],
  ['paid', { paidAt }, sale, 'fulfilled', 'normal'],
  [
    'paid',
    { paidAt, refundedAmount: 10 },
    [...sale, 'partly_refunded'],
    'partly_refunded',
    'returned',
  ],
  ['paid', { paidAt, refundedAmount: 100 }, [...sale, 'refunded'], 'refunded', 'returned'],
  ['refunded', { paidAt, refundedAmount: 100 }, [...sale, 'refunded'], 'refunded', 'returned'],
  ['refunded', {}, ['placed', 'payment', 'paid', 'refunded'], 'refunded', 'returned'],
  ['refund_due', {}, ['placed', 'payment', 'paid', 'refund_due'], 'refund_due', 'failed'],
  ['cancelled', {}, ['placed', 'cancelled'], 'cancelled', 'failed'],
  ['expired', {}, ['placed', 'expired'], 'expired', 'failed'],
] as const)(
  'an order that is %s with %j has the steps %j and is at %s',
  (status, money, steps, current, tone) => {
    const order = {
      status,
      totalAmount: 100,
      changesAmount: 0,
      refundedAmount: 0,
      paidAt: null,
      ...money,
    };
    expect(decideProgress(order)).toEqual({ steps, current, tone });
  },
);

test('refundableOf leaves out what is back or on its way', () => {
  const refunds = [
    refund('done', 1500, '2027-01-02T00:00:00Z'),
    refund('pending', 500, '2027-01-03T00:00:00Z'),
    refund('failed', 700, '2027-01-03T00:00:00Z'),
    refund('withdrawn', 900, '2027-01-03T00:00:00Z'),
  ];
  expect(refundableOf(order({ refunds }))).toBe(3000);
});

test('refundableOf leaves the payment of an order that was paid twice and refunded once', () => {
  const refunds = [{ ...refund('done', 5000, '2027-01-02T00:00:00Z'), cause: 'surplus' }];
  expect(refundableOf(order({ refunds }))).toBe(5000);
});

test('refundableOf of an order that was not fulfilled is what is due', () => {
  const refunds = [{ ...refund('due', 5000, '2027-01-02T00:00:00Z'), cause: 'late' }];
  const late = order({ status: 'refund_due', paidAt: null, refundDueAmount: 5000, refunds });
  expect(refundableOf(late)).toBe(5000);
  expect(previewRefund(late, { kind: 'all' })).toEqual({
    outcome: 'possible',
    amount: 5000,
    cancels: false,
  });
});

describe('partsOf', () => {
  const line = (
    name: string,
    totalAmount: number,
    quantity: number,
    itemType = 'registration_type',
  ) => ({
    name,
    itemType,
    totalAmount,
    quantity,
  });
  const shown = (values: object) =>
    partsOf(order(values)).map(
      ({ name, isSeat, quantity, amount }) =>
        `${quantity} ${isSeat ? 'seat' : 'item'} ${name} ${amount}`,
    );
  const done = (amount: number) => [refund('done', amount, '2027-01-02T00:00:00Z')];
  test.each<[string, object, string[]]>([
    ['one seat', { items: [line('Seat', 5000, 1)] }, ['1 seat Seat 5000']],
    [
      'one of two seats, whose line is everything',
      { items: [line('Seat', 5000, 2)] },
      ['1 seat Seat 2500'],
    ],
    [
      'one seat and the line of three beside another line',
      { items: [line('Seat', 4500, 3), line('Dinner', 500, 1, 'addon')] },
      ['1 seat Seat 1500', '3 seat Seat 4500', '1 item Dinner 500'],
    ],
    [
      'nothing of a line that is free',
      { items: [line('Seat', 5000, 1), line('Free', 0, 2)] },
      ['1 seat Seat 5000'],
    ],
    [
      'the whole line exactly, if its seats do not divide it',
      { items: [line('Seat', 1000, 3), line('Dinner', 4000, 1, 'addon')] },
      ['1 seat Seat 333', '3 seat Seat 1000', '1 item Dinner 4000'],
    ],
    [
      'no line that is more than what is left',
      { items: [line('Seat', 4500, 3), line('Dinner', 500, 1, 'addon')], refunds: done(1000) },
      ['1 seat Seat 1500', '1 item Dinner 500'],
    ],
    ['nothing if nothing is left', { items: [line('Seat', 5000, 2)], refunds: done(5000) }, []],
  ])('offers %s', (_, values, expected) => {
    expect(shown(values)).toEqual(expected);
  });
});

test.each([
  ['no policy', null, false],
  ['a policy without an end', { text: '', refundableUntil: null }, false],
  ['its last instant', { text: '', refundableUntil: '2027-05-01T00:00:00.000Z' }, false],
  ['a policy that goes on', { text: '', refundableUntil: '2027-05-01T00:00:01Z' }, false],
  ['a policy that has ended', { text: '', refundableUntil: '2027-04-30T23:59:59Z' }, true],
  [
    'a policy that has ended in its zone',
    { text: '', refundableUntil: '2027-05-01T01:59:59+02:00' },
    true,
  ],
])('a refund with %s is outside: %s', (_, policy, expected) => {
  expect(isOutsidePolicy(policy, new Date('2027-05-01T00:00:00Z'))).toBe(expected);
});

describe('a refund that the provider refused', () => {
  const done = refund('done', 500, '2027-01-02T00:00:00Z');
  const failed = { ...refund('failed', 500, '2027-01-03T00:00:00Z'), failure: 'expired_card' };
  const failedAgain = { ...refund('failed', 700, '2027-01-04T00:00:00Z'), failure: 'expired_card' };
  const pending = refund('pending', 500, '2027-01-05T00:00:00Z');
  const due = { ...refund('due', 300, '2027-01-06T00:00:00Z'), cause: 'surplus' };
  const of = (...refunds: object[]) => order({ refunds }).refunds;

  test.each([
    ['none', of(done), null],
    ['the last one', of(done, failed), failed.id],
    ['the last of two', of(failed, failedAgain), failedAgain.id],
    ['none that was repeated', of(failed, pending), null],
    ['one before a refund that nobody requested', of(failed, due), failed.id],
  ])('is open: %s', (_, refunds, id) => {
    expect(refusedRefund({ refunds })?.id ?? null).toBe(id);
  });

  test.each([
    ['nothing of a refund that is done', of(), of(done), []],
    ['one that has failed', of(done), of(done, failed), [failed.id]],
    ['none that had failed before', of(failed), of(failed, done), []],
    ['what stays due', of(due), of({ ...due, failure: 'rejected' }), [due.id]],
  ])('is reported: %s', (_, before, after, ids) => {
    expect(refusedBy(before, after).map(({ id }) => id)).toEqual(ids);
  });
});

describe('previewRefund', () => {
  const due = [refund('due', 700, '2027-01-02T00:00:00Z')];
  const partly = [refund('done', 2500, '2027-01-02T00:00:00Z')];
  test.each<[string, object, RefundChoice, RefundPreview]>([
    [
      'one of two seats keeps the registrations',
      {},
      { kind: 'amount', amount: 2500 },
      { outcome: 'possible', amount: 2500, cancels: false },
    ],
    [
      'the last seat cancels them',
      { refunds: partly },
      { kind: 'amount', amount: 2500 },
      { outcome: 'possible', amount: 2500, cancels: true },
    ],
    [
      'an amount that leaves nothing cancels them',
      {},
      { kind: 'amount', amount: 5000 },
      { outcome: 'possible', amount: 5000, cancels: true },
    ],
    [
      'everything cancels them',
      {},
      { kind: 'all' },
      { outcome: 'possible', amount: 5000, cancels: true },
    ],
    [
      'what is due is paid with an amount',
      { refundDueAmount: 700, refunds: due },
      { kind: 'amount', amount: 300 },
      { outcome: 'possible', amount: 1000, cancels: false },
    ],
    [
      'what is due alone keeps them',
      { refundDueAmount: 700, refunds: due },
      { kind: 'due' },
      { outcome: 'possible', amount: 700, cancels: false },
    ],
    [
      'what is on its way is not sent again',
      { refundDueAmount: 700, refunds: [refund('pending', 700, '2027-01-02T00:00:00Z')] },
      { kind: 'all' },
      { outcome: 'possible', amount: 4300, cancels: true },
    ],
    [
      'more than what is left',
      { refunds: partly },
      { kind: 'amount', amount: 2501 },
      { outcome: 'too_high', left: 2500 },
    ],
    ['nothing', {}, { kind: 'amount', amount: 0 }, { outcome: 'no_amount' }],
    ['no number', {}, { kind: 'amount', amount: Number.NaN }, { outcome: 'no_amount' }],
  ])('%s', (_, values, choice, preview) => {
    expect(previewRefund(order(values), choice)).toEqual(preview);
  });
});

test.each<[RefundChoice, object]>([
  [{ kind: 'amount', amount: 2500 }, { amount: 2500 }],
  [{ kind: 'amount', amount: 5000 }, { all: true }],
  [{ kind: 'all' }, { all: true }],
  [{ kind: 'due' }, { onlyDue: true }],
])('%j is sent as %j', (choice, expected) => {
  expect(refundInput(order({}), choice)).toEqual(expected);
});

test('a row of an order names its items, and counts its seats and those that have a person', () => {
  const items = [
    { quantity: 2, name: 'Seat' },
    { quantity: 1, name: 'Lunch' },
  ];
  expect(itemsOf(order({ items }))).toBe('2 × Seat, 1 × Lunch');
  const seats = ['assigned', 'open', 'cancelled', 'assigned'].map((status) => ({ status }));
  expect(countPeople(order({ seats }))).toEqual({ active: 2, all: 4 });
  expect(countPeople(order({ seats: [] }))).toEqual({ active: 0, all: 0 });
});

describe('the filters of the list', () => {
  const order = { status: 'paid', placedAt: '2027-05-10T10:00:00.000Z' } as const;
  const none = { status: undefined, placedFrom: undefined, placedBefore: undefined };
  test.each([
    [{}, true],
    [{ status: 'paid' }, true],
    [{ status: 'held' }, false],
    [{ placedFrom: '2027-05-10T12:00:00+02:00' }, true],
    [{ placedFrom: '2027-05-10T12:00:01+02:00' }, false],
    [{ placedBefore: '2027-05-10T10:00:00Z' }, false],
    [{ placedBefore: '2027-05-10T10:00:01Z' }, true],
  ])('%j let an order through: %s', (filters, fits) => {
    expect(fitsFilters(order, { ...none, ...filters })).toBe(fits);
  });
});

test('an order that a search finds by its buyer and by its people is listed once', () => {
  const [one, two] = [{ id: 'ord_1' }, { id: 'ord_2' }] as Order[];
  expect(withOthers([one] as Order[], [two, one] as Order[])).toEqual([one, two]);
});
