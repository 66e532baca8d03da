import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import { describe, expect, it } from 'vitest';
import { decideRefund, isFullyRefunded, type RefundRequest } from '../refunds/rules.ts';
import { decideSettlement } from '../settlements/rules.ts';
import {
  decideCancel,
  decideClose,
  decideConfirm,
  effectiveStatus,
  type OrderState,
  type ReservationOutcome,
} from './rules.ts';

const order = (fields: Partial<OrderState> = {}): OrderState => ({
  status: 'held',
  intent: null,
  totalAmount: 0,
  settlementId: null,
  holdIsOver: false,
  ...fields,
});

const of = (status: OrderStatus, totalAmount: number) =>
  order({
    status,
    totalAmount,
    // What was paid for has its settlement; what is still open has none yet.
    settlementId:
      totalAmount > 0 && ['paid', 'refunded', 'refund_due'].includes(status) ? 'stl_1' : null,
  });

/** What each state answers to each request: of a free order, or one free by discount, and of one that costs something. */
const table: Record<
  OrderStatus,
  { confirm: [string, string]; cancel: [string, string]; settle: string; refund: [string, string] }
> = {
  held: {
    confirm: ['fulfil', 'pay'],
    cancel: ['release', 'expire_payment'],
    settle: 'accepted',
    refund: ['nothing', 'nothing'],
  },
  awaiting_payment: {
    confirm: ['done', 'done'],
    cancel: ['release', 'expire_payment'],
    settle: 'accepted',
    refund: ['nothing', 'nothing'],
  },
  paid: {
    confirm: ['done', 'done'],
    cancel: ['paid', 'paid'],
    settle: 'surplus',
    refund: ['nothing', 'refund'],
  },
  cancelled: {
    confirm: ['closed', 'closed'],
    cancel: ['unchanged', 'unchanged'],
    settle: 'late',
    refund: ['nothing', 'nothing'],
  },
  expired: {
    confirm: ['closed', 'closed'],
    cancel: ['unchanged', 'unchanged'],
    settle: 'accepted',
    refund: ['nothing', 'nothing'],
  },
  refund_due: {
    confirm: ['closed', 'closed'],
    cancel: ['unchanged', 'unchanged'],
    settle: 'surplus',
    refund: ['nothing', 'nothing'],
  },
  refunded: {
    confirm: ['closed', 'closed'],
    cancel: ['unchanged', 'unchanged'],
    settle: 'surplus',
    refund: ['nothing', 'nothing'],
  },
};

describe.each(orderStatuses)('an order that is %s', (status) => {
  const expected = table[status];

  it.each([
    ['free', 0],
    ['priced', 500],
  ] as const)('and %s answers a confirmation', (_, totalAmount) => {
    const [free, priced] = expected.confirm;
    expect(decideConfirm(of(status, totalAmount)).outcome).toBe(totalAmount === 0 ? free : priced);
  });

  it.each([
    ['free', 0],
    ['priced', 500],
  ] as const)('and %s answers a cancellation', (_, totalAmount) => {
    const [free, priced] = expected.cancel;
    const wanted = totalAmount === 0 ? free : priced;
    const state = of(status, totalAmount);
    expect(decideCancel(state, { paymentExpired: false }).outcome).toBe(wanted);
    const afterwards = wanted === 'expire_payment' ? 'release' : wanted;
    expect(decideCancel(state, { paymentExpired: true }).outcome).toBe(afterwards);
  });

  it('takes a payment', () => {
    const price = { amount: 500, currency: 'EUR' };
    expect(decideSettlement(of(status, 500), price, price).outcome).toBe(expected.settle);
  });

  it('is refunded', () => {
    const [free, priced] = expected.refund;
    expect(decideRefund(of(status, 0), 0, [], all).outcome).toBe(free);
    expect(decideRefund(of(status, 500), 500, [], all).outcome).toBe(priced);
  });

  it('shows its status, and expired as soon as a hold without more is over', () => {
    expect(effectiveStatus(of(status, 0))).toBe(status);
    const expired = { ...of(status, 500), holdIsOver: true };
    expect(effectiveStatus(expired)).toBe(status === 'held' ? 'expired' : status);
    expect(decideConfirm(expired).outcome).toBe(status === 'held' ? 'closed' : expected.confirm[1]);
    expect(decideCancel(expired, { paymentExpired: false }).outcome).toBe(
      status === 'held' ? 'unchanged' : expected.cancel[1],
    );
  });
});

const all: RefundRequest = { extent: 'all', force: false };
const onlyDue: RefundRequest = { extent: 'onlyDue', force: false };
const amount = (value: number): RefundRequest => ({
  extent: 'amount',
  amount: value,
  force: false,
});

describe('an order whose fulfilment has begun', () => {
  it.each([
    ['by its confirmation', order({ intent: 'fulfil' })],
    [
      'by its payment',
      order({ status: 'awaiting_payment', totalAmount: 5, settlementId: 'stl_1' }),
    ],
    ['by late money', order({ status: 'expired', totalAmount: 5, settlementId: 'stl_1' })],
  ])('%s is finished before anything else, and never reads expired', (_, state) => {
    const expired = { ...state, holdIsOver: true };
    expect(effectiveStatus(expired)).toBe(state.status);
    expect(decideConfirm(expired)).toEqual({ outcome: 'fulfil' });
    for (const paymentExpired of [false, true]) {
      expect(decideCancel(expired, { paymentExpired })).toEqual({ outcome: 'fulfil_first' });
    }
  });
});

describe('an order that is being cancelled', () => {
  const priced = { status: 'awaiting_payment', totalAmount: 500 } as const;

  it.each([
    ['whose session is being ended', 'cancel', ['expire_payment', 'release']],
    ['whose cancellation is decided', 'release', ['release', 'release']],
  ] as const)('%s rejects confirmations and continues', (_, intent, [first, second]) => {
    const state = order({ ...priced, intent });
    expect(decideConfirm(state)).toEqual({ outcome: 'closed' });
    expect(decideCancel(state, { paymentExpired: false })).toEqual({ outcome: first });
    expect(decideCancel(state, { paymentExpired: true })).toEqual({ outcome: second });
  });

  it.each([
    ['before the cancellation is decided, which is withdrawn', 'cancel', true],
    ['after the cancellation is decided, which stands', 'release', false],
    ['without a cancellation', null, false],
  ] as const)('accepts a payment %s', (_, intent, withdrawsCancel) => {
    const price = { amount: 500, currency: 'EUR' };
    expect(decideSettlement(order({ ...priced, intent }), price, price)).toEqual({
      outcome: 'accepted',
      withdrawsCancel,
    });
  });
});

describe('what registration answers', () => {
  const reservationOutcomes: ReservationOutcome[] = ['fulfilled', 'released', 'expired'];
  it.each([
    ['held', order(), ['paid', 'expired', 'expired']],
    ['held, to be fulfilled', order({ intent: 'fulfil' }), ['paid', 'expired', 'unchanged']],
    ['held, to be cancelled', order({ intent: 'cancel' }), ['paid', 'cancelled', 'cancelled']],
    ['held, to be released', order({ intent: 'release' }), ['paid', 'cancelled', 'cancelled']],
    ['awaiting payment', order({ status: 'awaiting_payment' }), ['paid', 'expired', 'expired']],
    [
      'paid for',
      order({ status: 'awaiting_payment', settlementId: 's' }),
      ['paid', 'refund', 'unchanged'],
    ],
    [
      'paid for late',
      order({ status: 'expired', settlementId: 's' }),
      ['paid', 'refund', 'unchanged'],
    ],
    ['expired', order({ status: 'expired' }), ['paid', 'unchanged', 'unchanged']],
    ['cancelled', order({ status: 'cancelled' }), ['unchanged', 'unchanged', 'unchanged']],
    ['paid', order({ status: 'paid' }), ['unchanged', 'unchanged', 'unchanged']],
    ['refunded', order({ status: 'refunded' }), ['unchanged', 'unchanged', 'unchanged']],
    [
      'paid for while it was being released',
      order({ status: 'awaiting_payment', settlementId: 's', intent: 'release' }),
      ['paid', 'refund', 'unchanged'],
    ],
  ] as const)('of an order that is %s decides what becomes of it', (_, state, expected) => {
    const outcomes = reservationOutcomes.map((reservation) => {
      const decision = decideClose(state, reservation);
      return decision.outcome === 'become' ? decision.status : decision.outcome;
    });
    expect(outcomes).toEqual(expected);
  });
});

it('money that nothing is given for is late where the order was given up, else its places are gone', () => {
  const paidFor = order({ status: 'awaiting_payment', settlementId: 's' });
  expect(decideClose(paidFor, 'released')).toEqual({ outcome: 'refund', cause: 'gone' });
  const cancelled = { ...paidFor, intent: 'release' as const };
  expect(decideClose(cancelled, 'released')).toEqual({ outcome: 'refund', cause: 'late' });
});

describe('a payment', () => {
  const price = { amount: 500, currency: 'EUR' };
  it.each([
    ['of less', { amount: 499, currency: 'EUR' }],
    ['of more', { amount: 501, currency: 'EUR' }],
    ['of another currency', { amount: 500, currency: 'USD' }],
  ])('%s fulfils nothing, in whatever state', (_, received) => {
    for (const status of orderStatuses) {
      expect(decideSettlement(of(status, 500), price, received)).toEqual({ outcome: 'mismatch' });
    }
  });

  it('beside the one that pays for the order is surplus', () => {
    const state = order({ status: 'awaiting_payment', settlementId: 'stl_1' });
    expect(decideSettlement(state, price, price)).toEqual({ outcome: 'surplus' });
  });
});

describe('a refund', () => {
  const paid = { status: 'paid', settlementId: 'stl_1' };
  const existingRefund = (
    id: string,
    amount: number,
    state: 'due' | 'pending' | 'done' | 'failed',
    settlementId = 'stl_1',
  ) => ({
    id,
    amount,
    state,
    settlementId,
    cause: 'operator',
    requestedExtent: null,
    requestedAt: null,
    requestedAgoMs: null,
  });

  it('is the rest of what was paid, or as much as is asked for', () => {
    expect(decideRefund(paid, 500, [], all)).toEqual({
      outcome: 'refund',
      dueIds: [],
      amount: 500,
    });
    expect(decideRefund(paid, 500, [existingRefund('a', 200, 'done')], all)).toMatchObject({
      amount: 300,
    });
    expect(
      decideRefund(paid, 500, [existingRefund('a', 200, 'pending')], amount(300)),
    ).toMatchObject({
      amount: 300,
    });
  });

  it('is never more than is left, whatever is on its way; what has failed is left', () => {
    expect(decideRefund(paid, 500, [existingRefund('a', 200, 'pending')], amount(301))).toEqual({
      outcome: 'too_high',
      left: 300,
    });
    expect(
      decideRefund(paid, 500, [existingRefund('a', 200, 'failed')], amount(500)),
    ).toMatchObject({
      amount: 500,
    });
    expect(decideRefund(paid, 500, [existingRefund('a', 500, 'done')], all)).toEqual({
      outcome: 'nothing',
    });
  });

  it('pays what is due, too', () => {
    const due = [existingRefund('a', 700, 'due', 'stl_2')];
    expect(decideRefund(paid, 500, due, amount(100))).toEqual({
      outcome: 'refund',
      dueIds: ['a'],
      amount: 100,
    });
    expect(decideRefund({ status: 'refund_due', settlementId: null }, 0, due, all)).toEqual({
      outcome: 'refund',
      dueIds: ['a'],
      amount: 0,
    });
  });

  it.each([
    ['nothing more', onlyDue, { outcome: 'refund', dueIds: ['a'], amount: 0 }],
    ['some more', amount(100), { outcome: 'refund', dueIds: ['a'], amount: 100 }],
    ['all the rest', all, { outcome: 'refund', dueIds: ['a'], amount: 300 }],
    ['more than the rest', amount(301), { outcome: 'too_high', left: 300 }],
  ])('of an order of which a part is due is that part and %s', (_, request, expected) => {
    expect(decideRefund(paid, 500, [existingRefund('a', 200, 'due')], request)).toEqual(expected);
  });

  it('of only what is due is nothing where nothing is', () => {
    expect(decideRefund(paid, 500, [existingRefund('a', 200, 'done')], onlyDue)).toEqual({
      outcome: 'nothing_due',
      left: 300,
    });
  });

  it('makes an order refunded with the last of its own money', () => {
    expect(isFullyRefunded(paid, 500, [existingRefund('a', 200, 'done')])).toBe(false);
    expect(
      isFullyRefunded(paid, 500, [
        existingRefund('a', 200, 'done'),
        existingRefund('b', 300, 'pending'),
      ]),
    ).toBe(false);
    expect(
      isFullyRefunded(paid, 500, [
        existingRefund('a', 200, 'done'),
        existingRefund('b', 300, 'done'),
      ]),
    ).toBe(true);
    expect(isFullyRefunded(paid, 500, [existingRefund('a', 500, 'done', 'stl_2')])).toBe(false);
    expect(
      isFullyRefunded({ status: 'refund_due', settlementId: null }, 0, [
        existingRefund('a', 5, 'done'),
      ]),
    ).toBe(true);
    expect(
      isFullyRefunded({ status: 'refund_due', settlementId: null }, 0, [
        existingRefund('a', 5, 'due'),
      ]),
    ).toBe(false);
  });
});
