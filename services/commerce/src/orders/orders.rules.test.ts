import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import { movesInGuides, movesOf } from '@event-api/platform/testing/state-diagrams';
import { describe, expect, test } from 'vitest';
import {
  decideCancel,
  decideClose,
  decideConfirm,
  effectiveStatus,
  isRevoking,
  mayBeUndeliverable,
  type OrderState,
  orderTransitions,
  type ReservationOutcome,
} from './orders.rules.ts';

interface TestOrder extends OrderState {
  paymentUrl: string | null;
  refundsDue: readonly object[];
}

const order = (fields: Partial<TestOrder> = {}): TestOrder => ({
  status: 'held',
  paymentUrl: fields.status === 'awaiting_payment' ? 'https://pay.example' : null,
  refundsDue: [],
  intent: null,
  totalAmount: 0,
  settlementId: null,
  holdExpired: false,
  ...fields,
});

/**
 * An order of a status. A paid one that is not free has its settlement; an open one has none yet.
 */
const of = (status: OrderStatus, totalAmount: number) =>
  order({
    status,
    totalAmount,
    settlementId:
      totalAmount > 0 && ['paid', 'refunded', 'refund_due'].includes(status) ? 'stl_1' : null,
  });

/** The decisions per status: first for a free order, second for one with a price. */
const decisions: Record<OrderStatus, { confirm: [string, string]; cancel: [string, string] }> = {
  held: { confirm: ['fulfil', 'pay'], cancel: ['release', 'expire_payment'] },
  awaiting_payment: { confirm: ['done', 'done'], cancel: ['release', 'expire_payment'] },
  paid: { confirm: ['done', 'done'], cancel: ['revoke', 'paid'] },
  cancelled: { confirm: ['closed', 'closed'], cancel: ['unchanged', 'unchanged'] },
  expired: { confirm: ['closed', 'closed'], cancel: ['unchanged', 'unchanged'] },
  refund_due: { confirm: ['closed', 'closed'], cancel: ['unchanged', 'unchanged'] },
  refunded: { confirm: ['closed', 'closed'], cancel: ['unchanged', 'unchanged'] },
};

describe.each(orderStatuses)('an order with the status %s', (status) => {
  const expected = decisions[status];

  test.each([
    ['free', 0],
    ['priced', 500],
  ] as const)('decides a confirmation when it is %s', (_, totalAmount) => {
    const [free, priced] = expected.confirm;
    expect(decideConfirm(of(status, totalAmount)).outcome).toBe(totalAmount === 0 ? free : priced);
  });

  test.each([
    ['free', 0],
    ['priced', 500],
  ] as const)('decides both steps of a cancellation when it is %s', (_, totalAmount) => {
    const [free, priced] = expected.cancel;
    const first = totalAmount === 0 ? free : priced;
    const state = of(status, totalAmount);
    expect(decideCancel(state, { paymentExpired: false }).outcome).toBe(first);
    const second = first === 'expire_payment' ? 'release' : first;
    expect(decideCancel(state, { paymentExpired: true }).outcome).toBe(second);
  });

  test('returns its status, or expired if it is only held and the hold has expired', () => {
    expect(effectiveStatus(of(status, 0))).toBe(status);
    const expired = { ...of(status, 500), holdExpired: true };
    expect(effectiveStatus(expired)).toBe(status === 'held' ? 'expired' : status);
    expect(decideConfirm(expired).outcome).toBe(status === 'held' ? 'closed' : expected.confirm[1]);
    expect(decideCancel(expired, { paymentExpired: false }).outcome).toBe(
      status === 'held' ? 'unchanged' : expected.cancel[1],
    );
  });
});

describe('an order whose fulfilment has started', () => {
  test.each([
    ['with its confirmation', order({ intent: 'fulfil' })],
    [
      'with its payment',
      order({ status: 'awaiting_payment', totalAmount: 5, settlementId: 'stl_1' }),
    ],
    ['with a late payment', order({ status: 'expired', totalAmount: 5, settlementId: 'stl_1' })],
  ])('%s is fulfilled first and does not expire', (_, state) => {
    const expired = { ...state, holdExpired: true };
    expect(effectiveStatus(expired)).toBe(state.status);
    expect(decideConfirm(expired)).toEqual({ outcome: 'fulfil' });
    for (const paymentExpired of [false, true]) {
      expect(decideCancel(expired, { paymentExpired })).toEqual({ outcome: 'fulfil_first' });
    }
  });
});

test('an order that awaits its payment without a page gets another one', () => {
  const state = order({ status: 'awaiting_payment', totalAmount: 500, paymentUrl: null });
  expect(decideConfirm(state)).toEqual({ outcome: 'pay' });
  expect(decideConfirm({ ...state, intent: 'cancel' })).toEqual({ outcome: 'closed' });
  expect(decideConfirm({ ...state, settlementId: 'stl_1' })).toEqual({ outcome: 'fulfil' });
});

describe('an order that is being cancelled', () => {
  test.each([
    ['whose payment session is being expired', 'cancel', ['expire_payment', 'release']],
    ['whose cancellation is decided', 'release', ['release', 'release']],
  ] as const)('%s rejects confirmations and continues', (_, intent, [first, second]) => {
    const state = order({ status: 'awaiting_payment', totalAmount: 500, intent });
    expect(decideConfirm(state)).toEqual({ outcome: 'closed' });
    expect(decideCancel(state, { paymentExpired: false })).toEqual({ outcome: first });
    expect(decideCancel(state, { paymentExpired: true })).toEqual({ outcome: second });
  });
});

describe('a free order whose registrations are being cancelled', () => {
  const state = order({ status: 'paid', intent: 'release' });

  test('is recognized by its status and intent', () => {
    expect(isRevoking(state)).toBe(true);
    for (const intent of [null, 'restore', 'cancel', 'fulfil'] as const) {
      expect(isRevoking({ ...state, intent })).toBe(false);
    }
    expect(isRevoking({ ...state, status: 'held' })).toBe(false);
  });

  test('continues after an interruption, and a late fulfilment does not change it', () => {
    expect(decideCancel(state, { paymentExpired: false })).toEqual({ outcome: 'revoke' });
    expect(decideClose(state, 'fulfilled')).toEqual({ outcome: 'unchanged' });
  });
});

describe('an order that is refused with what became of an attendee', () => {
  const state = of('cancelled', 500);
  test.each([
    ['was cancelled', state, true],
    ['is being cancelled', { ...of('awaiting_payment', 500), intent: 'cancel' }, true],
    ['was cancelled, and its hold has ended', { ...state, holdExpired: true }, false],
    ['was cancelled and is free', of('cancelled', 0), true],
    ['has expired', of('expired', 500), false],
    ['is due for a refund', of('refund_due', 500), false],
  ] as const)('%s: %#', (_, order, expected) => {
    expect(mayBeUndeliverable(order)).toBe(expected);
  });
});

describe('decideClose', () => {
  const reservationOutcomes: ReservationOutcome[] = ['fulfilled', 'released', 'expired'];
  const settlementId = 'stl_1';

  test.each([
    ['held', order(), ['paid', 'cancelled', 'expired']],
    ['held, after its hold', order({ holdExpired: true }), ['paid', 'expired', 'expired']],
    ['held, intent fulfil', order({ intent: 'fulfil' }), ['paid', 'cancelled', 'unchanged']],
    ['held, intent cancel', order({ intent: 'cancel' }), ['paid', 'cancelled', 'cancelled']],
    ['held, intent release', order({ intent: 'release' }), ['paid', 'cancelled', 'cancelled']],
    ['awaiting payment', order({ status: 'awaiting_payment' }), ['paid', 'cancelled', 'expired']],
    [
      'awaiting payment, with a settlement',
      order({ status: 'awaiting_payment', settlementId }),
      ['paid', 'refund', 'unchanged'],
    ],
    [
      'awaiting payment, with a settlement, intent release',
      order({ status: 'awaiting_payment', settlementId, intent: 'release' }),
      ['paid', 'refund', 'unchanged'],
    ],
    [
      'expired, with a settlement',
      order({ status: 'expired', settlementId }),
      ['paid', 'refund', 'unchanged'],
    ],
    ['expired', order({ status: 'expired' }), ['paid', 'unchanged', 'unchanged']],
    ['cancelled', order({ status: 'cancelled' }), ['unchanged', 'unchanged', 'unchanged']],
    ['paid', order({ status: 'paid' }), ['unchanged', 'unchanged', 'unchanged']],
    ['refund due', order({ status: 'refund_due' }), ['unchanged', 'unchanged', 'unchanged']],
    ['refunded', order({ status: 'refunded' }), ['unchanged', 'unchanged', 'unchanged']],
  ] as const)('decides the status of an order that is %s', (_, state, expected) => {
    const outcomes = reservationOutcomes.map((reservation) => {
      const decision = decideClose(state, reservation);
      if (decision.outcome === 'unchanged') return 'unchanged';
      const status = decision.outcome === 'become' ? decision.status : 'refund_due';
      expect(orderTransitions[state.status]).toContain(status);
      return decision.outcome === 'become' ? status : decision.outcome;
    });
    expect(outcomes).toEqual(expected);
  });

  test.each([
    ['awaiting payment', order({ status: 'awaiting_payment' }), 'cancelled'],
    ['held', order({ holdExpired: true }), 'expired'],
    ['being cancelled', order({ status: 'awaiting_payment', intent: 'release' }), 'cancelled'],
  ] as const)('owes an order that is %s what has arrived in another amount', (_, state, after) => {
    const owed = { ...state, refundsDue: [{ currency: 'JPY', amount: 5 }] };
    expect(decideClose(owed, 'released')).toEqual({ outcome: 'owe', after });
    expect(decideClose(owed, 'fulfilled')).toEqual({ outcome: 'become', status: 'paid' });
    expect(decideClose({ ...owed, settlementId }, 'fulfilled').outcome).toBe('become');
  });

  test('refunds with the cause late after a cancellation, otherwise unfulfillable', () => {
    const paidFor = order({ status: 'awaiting_payment', settlementId });
    expect(decideClose(paidFor, 'released')).toEqual({ outcome: 'refund', cause: 'unfulfillable' });
    const cancelled = { ...paidFor, intent: 'release' as const };
    expect(decideClose(cancelled, 'released')).toEqual({ outcome: 'refund', cause: 'late' });
  });
});

test('the diagrams of the guides show exactly the lifecycle of an order', () => {
  // The guide also has the states of changes.
  const ofOrders = Object.keys(orderTransitions);
  const moves = movesInGuides('checkout', 'cancellations-and-changes');
  const shown = moves.filter((move) => move.split(' > ').every((each) => ofOrders.includes(each)));
  expect(shown).toEqual(movesOf(orderTransitions));
});
