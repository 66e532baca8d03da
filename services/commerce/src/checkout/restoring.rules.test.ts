import type { RefundState } from '@event-api/contracts/operator/refunds';
import { expect, test } from 'vitest';
import { orderTransitions } from '../orders/orders.rules.ts';
import { attendeeRegistered } from '../refunds/withdrawal.rules.ts';
import { decideRestore, type RestoreDecision } from './restoring.rules.ts';

type State = Parameters<typeof decideRestore>[0];

const order = (fields: Partial<State> = {}): State => ({
  status: 'paid',
  intent: 'restore',
  totalAmount: 1000,
  settlementId: 'stl_1',
  payments: [{ id: 'stl_1', amount: 1000 }],
  holdExpired: true,
  ...fields,
});
const free = order({ totalAmount: 0, settlementId: null, payments: [] });
const refund = (amount: number, state: RefundState, cause = 'operator') => ({
  settlementId: 'stl_1',
  amount,
  state,
  cause,
});
const none = { amount: 0, isAll: false };
const some = { amount: 400, isAll: false };
const all = { amount: 1000, isAll: true };

test.each<
  [
    what: string,
    State,
    Parameters<typeof decideRestore>[1],
    Parameters<typeof decideRestore>[2],
    RestoreDecision,
  ]
>([
  ['gets all seats', order(), [], none, { outcome: 'restored', owed: 0, status: 'paid' }],
  ['does not get a seat', order(), [], some, { outcome: 'restored', owed: 400, status: 'paid' }],
  [
    'was owed this seat before',
    order(),
    [refund(400, 'due', attendeeRegistered)],
    some,
    { outcome: 'restored', owed: 0, status: 'paid' },
  ],
  [
    'was owed less before',
    order(),
    [refund(300, 'done', attendeeRegistered)],
    some,
    { outcome: 'restored', owed: 100, status: 'paid' },
  ],
  [
    'has less left than the seat',
    order(),
    [refund(900, 'done')],
    some,
    { outcome: 'restored', owed: 100, status: 'paid' },
  ],
  [
    'gets no seat of its own',
    order(),
    [],
    all,
    { outcome: 'restored', owed: 1000, status: 'refund_due' },
  ],
  [
    'is free and gets no seat of its own',
    free,
    [],
    { amount: 0, isAll: false },
    { outcome: 'restored', owed: 0, status: 'paid' },
  ],
  ['finds no seats', order(), [], null, { outcome: 'lost', owed: 1000, status: 'refund_due' }],
  [
    'finds no seats after a refund',
    order(),
    [refund(300, 'done')],
    null,
    { outcome: 'lost', owed: 700, status: 'refund_due' },
  ],
  [
    'finds no seats after a failed refund',
    order(),
    [refund(300, 'failed'), refund(200, 'withdrawn')],
    null,
    { outcome: 'lost', owed: 1000, status: 'refund_due' },
  ],
  [
    'finds no seats and all is due',
    order(),
    [refund(1000, 'due')],
    null,
    { outcome: 'lost', owed: 0, status: 'refund_due' },
  ],
  [
    'finds no seats and all is refunded',
    order(),
    [refund(1000, 'done')],
    null,
    { outcome: 'lost', owed: 0, status: 'refunded' },
  ],
  ['is free and finds no seats', free, [], null, { outcome: 'lost', owed: 0, status: 'cancelled' }],
  ['was restored meanwhile', order({ intent: null }), [], null, { outcome: 'unchanged' }],
  ['was refunded meanwhile', order({ status: 'refunded' }), [], none, { outcome: 'unchanged' }],
])('an order that %s', (_, state, refunds, unfulfilled, expected) => {
  const decision = decideRestore(state, refunds, unfulfilled);
  expect(decision).toEqual(expected);
  if (decision.outcome !== 'unchanged' && decision.status !== 'paid') {
    expect(orderTransitions.paid).toContain(decision.status);
  }
});
