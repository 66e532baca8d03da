import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import type { RefundState } from '@event-api/contracts/operator/refunds';
import { describe, expect, test } from 'vitest';
import {
  decideProviderRefund,
  decideRefusal,
  type ProviderRefundDecision,
  type ReportedState,
} from './provider-refunds.rules.ts';

const settlement = { id: 'stl_1', amount: 1000, currency: 'EUR' };
const order = {
  status: 'paid' as OrderStatus,
  settlementId: 'stl_1' as string | null,
  isMoving: false,
};

const refund = (id: string, state: RefundState, amount: number, fields: object = {}) => ({
  ...{ id, state, amount, settlementId: 'stl_1', cause: 'operator', requestedExtent: null },
  ...{ registrationIds: [], revokesSeats: false, providerRefundId: null as string | null },
  ...fields,
});

const reported = (fields: Partial<ReportedState> = {}): ReportedState => ({
  ...{ providerRefundId: 're_1', refundId: null, amount: 300, currency: 'EUR', state: 'done' },
  ...fields,
});

const decide = (
  refunds: readonly ReturnType<typeof refund>[],
  fields: Partial<ReportedState> = {},
  of: object = {},
): ProviderRefundDecision =>
  decideProviderRefund({ ...order, ...of }, settlement, refunds, reported(fields));

const record = (
  amount: number,
  covered: [refundId: string, amount: number, rest: number][] = [],
  withdrawnIds: string[] = [],
): ProviderRefundDecision => ({
  outcome: 'record',
  covered: covered.map(([refundId, paid, rest]) => ({ refundId, amount: paid, rest })),
  ...{ amount, withdrawnIds },
});
const unchanged = { outcome: 'unchanged' };
const wait = { outcome: 'wait' };

describe('a refund that was made at the provider', () => {
  test.each<[string, ProviderRefundDecision, object]>([
    ['is a refund of its own', decide([]), record(300)],
    [
      'is recorded once',
      decide([refund('rfd_1', 'done', 300, { providerRefundId: 're_1' })]),
      unchanged,
    ],
    [
      'is recorded up to its amount when another one has failed',
      decide([refund('rfd_1', 'done', 100, { providerRefundId: 're_1' })]),
      record(200),
    ],
    [
      'pays what is due again when another one has failed',
      decide([
        refund('rfd_1', 'done', 100, { providerRefundId: 're_1' }),
        refund('rfd_2', 'withdrawn', 900, { providerRefundId: 're_0' }),
        refund('rfd_3', 'due', 900),
      ]),
      record(0, [['rfd_3', 200, 700]]),
    ],
    [
      'is recorded beside another one of the same amount',
      decide([refund('rfd_1', 'done', 300, { providerRefundId: 're_0' })]),
      record(300),
    ],
    ['pays what is due', decide([refund('rfd_1', 'due', 300)]), record(0, [['rfd_1', 300, 0]])],
    [
      'pays what is due, oldest first, and the rest stays due',
      decide([refund('rfd_1', 'due', 200), refund('rfd_2', 'due', 500)]),
      record(0, [
        ['rfd_1', 200, 0],
        ['rfd_2', 100, 400],
      ]),
    ],
    [
      'pays more than what is due',
      decide([refund('rfd_1', 'due', 100)]),
      record(200, [['rfd_1', 100, 0]]),
    ],
    [
      'pays nothing that is due of another payment',
      decide([refund('rfd_1', 'due', 300, { settlementId: 'stl_2' })]),
      record(300),
    ],
    ['never exceeds the payment', decide([refund('rfd_1', 'done', 900)]), record(100)],
    ['of a payment that is refunded', decide([refund('rfd_1', 'done', 1000)]), unchanged],
    [
      'is recorded although one of the platform is on its way',
      decide([refund('rfd_1', 'pending', 1000)], { amount: 1000 }),
      record(1000),
    ],
    [
      'ends a failed refund for which nothing is left',
      decide([refund('rfd_1', 'failed', 1000)], { amount: 1000 }),
      record(1000, [], ['rfd_1']),
    ],
    [
      'leaves a failed refund that can be repeated',
      decide([refund('rfd_1', 'failed', 500)]),
      record(300),
    ],
    ['with an unknown id is one', decide([], { refundId: 'rfd_9' }), record(300)],
    [
      'with the id of one of another amount is one',
      decide([refund('rfd_1', 'pending', 200)], { refundId: 'rfd_1' }),
      record(300),
    ],
    ['in another currency', decide([], { currency: 'USD' }), { outcome: 'other_currency' }],
  ])('%s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });

  test.each(orderStatuses)('waits until a payment of an order that is %s is applied', (status) => {
    const isOpen = ['held', 'awaiting_payment', 'expired'].includes(status);
    expect(decide([], {}, { status })).toEqual(isOpen ? wait : record(300));
    expect(decide([], {}, { status, settlementId: 'stl_2' })).toEqual(record(300));
  });

  test('waits while seats get other ticket types, because their quote counts what is left', () => {
    expect(decide([], {}, { isMoving: true })).toEqual(wait);
    // The payment may be that of the change.
    expect(decide([], {}, { isMoving: true, settlementId: 'stl_2' })).toEqual(wait);
  });
});

describe('a refund of the platform', () => {
  const own = { refundId: 'rfd_1' };
  const expected: Record<RefundState, object> = {
    due: { outcome: 'complete', refundId: 'rfd_1' },
    pending: { outcome: 'complete', refundId: 'rfd_1' },
    done: unchanged,
    // The response was that it is refused, so that this is another one.
    failed: record(300),
    withdrawn: record(300),
  };

  test.each(Object.entries(expected))('that is %s', (state, decision) => {
    const providerRefundId = state === 'done' ? 're_1' : null;
    const stored = refund('rfd_1', state as RefundState, 300, { providerRefundId });
    expect(decide([stored], own)).toEqual(decision);
  });
});

describe('a refund that failed later', () => {
  const failed = { state: 'failed' } as const;
  const done = (cause: string) => refund('rfd_1', 'done', 300, { cause, providerRefundId: 're_1' });
  const fail = (as: string) => ({ outcome: 'fail', refunds: [{ refundId: 'rfd_1', as }] });

  test.each<[string, ProviderRefundDecision, object]>([
    ['and was never recorded', decide([], failed), unchanged],
    ['decided by an operator', decide([done('operator')], failed), fail('failed')],
    ['made at the provider', decide([done('at_provider')], failed), fail('failed')],
    ['that was due', decide([done('late')], failed), fail('owed')],
    [
      'of a refunded order',
      decide([done('operator')], failed, { status: 'refunded' }),
      fail('owed'),
    ],
    [
      'waits for the response to it',
      decide([refund('rfd_1', 'pending', 300)], { ...failed, refundId: 'rfd_1' }),
      wait,
    ],
    [
      'and was refused before',
      decide([refund('rfd_1', 'failed', 300)], { ...failed, refundId: 'rfd_1' }),
      unchanged,
    ],
  ])('%s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });
});

describe('a refund that the provider refuses', () => {
  const pending = refund('rfd_1', 'pending', 500);
  const late = refund('rfd_1', 'pending', 500, { cause: 'late' });
  const back = (amount: number) => refund('rfd_2', 'done', amount);
  test.each<[string, object, object]>([
    [
      'has failed',
      decideRefusal(order, pending, 1000, [pending]),
      { state: 'failed', amount: 500, rest: 0 },
    ],
    [
      'has failed as far as the payment was not returned',
      decideRefusal(order, pending, 1000, [pending, back(700)]),
      { state: 'failed', amount: 300, rest: 0 },
    ],
    [
      'is due again',
      decideRefusal(order, late, 1000, [late]),
      { state: 'due', amount: 500, rest: 0 },
    ],
    [
      'is due again if its order is refunded, because nobody could repeat it',
      decideRefusal({ status: 'refunded' }, pending, 1000, [pending]),
      { state: 'due', amount: 500, rest: 0 },
    ],
    [
      'is not owed after the payment was returned at the provider',
      decideRefusal(order, late, 1000, [late, back(1000)]),
      { state: 'withdrawn', amount: 500, rest: 0 },
    ],
    [
      'is owed as another one as far as the payment was not returned',
      decideRefusal(order, late, 1000, [late, back(700)]),
      { state: 'withdrawn', amount: 500, rest: 300 },
    ],
  ])('%s', (_, decision, expected) => {
    expect(decision).toEqual(expected);
  });
});

test('refunds of 2000 random series never exceed the payment, in any order and however often', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  let state = seed;
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * (limit + 1));
  };
  for (let n = 0; n < 2000; n++) {
    let refunds = Array.from({ length: random(3) }, (_, index) =>
      refund(
        `rfd_${index}`,
        (['due', 'done', 'failed'] as const)[random(2)] ?? 'due',
        1 + random(300),
      ),
    );
    for (let step = 0; step < 6; step++) {
      const id = `re_${random(3)}`;
      const decision = decide(refunds, { providerRefundId: id, amount: 1 + random(600) });
      if (decision.outcome !== 'record') continue;
      const { covered, amount } = decision;
      refunds = refunds.flatMap((each) => {
        const part = covered.find(({ refundId }) => refundId === each.id);
        if (!part) return [each];
        const paid = { ...each, state: 'done' as const, amount: part.amount, providerRefundId: id };
        return [
          paid,
          ...(part.rest > 0 ? [{ ...each, id: `${each.id}_`, amount: part.rest }] : []),
        ];
      });
      if (amount > 0) refunds.push(refund(`new_${step}`, 'done', amount, { providerRefundId: id }));
    }
    const sum = refunds
      .filter(({ state: of }) => of !== 'failed')
      .reduce((total, { amount }) => total + amount, 0);
    expect(sum, `seed ${seed}`).toBeLessThanOrEqual(1000);
  }
});
