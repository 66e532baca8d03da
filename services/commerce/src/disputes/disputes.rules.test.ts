import { describe, expect, test } from 'vitest';
import {
  coveredByLost,
  type DisputeState,
  decideDispute,
  heldBackBy,
  remainsOf,
} from './disputes.rules.ts';

const at = (second: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, second));
const state = (
  status: DisputeState['status'],
  second: number,
  fields: Partial<DisputeState> = {},
): DisputeState => ({
  ...{ status, amount: 500, currency: 'EUR', reason: 'fraudulent', respondBy: null },
  ...{ reportedAt: at(second), ...fields },
});

describe('a reported dispute', () => {
  test('is stored when it is new, in any status', () => {
    for (const status of ['inquiry', 'needs_response', 'under_review', 'won', 'lost'] as const)
      expect(decideDispute(null, state(status, 1))).toEqual({ outcome: 'store' });
  });

  test.each([
    ['inquiry', 1, 'needs_response', 2, 'store'],
    ['inquiry', 1, 'won', 2, 'store'],
    ['needs_response', 1, 'under_review', 2, 'store'],
    ['needs_response', 1, 'lost', 1, 'store'],
    ['under_review', 2, 'won', 1, 'store'],
    ['needs_response', 1, 'inquiry', 2, 'unchanged'],
    ['under_review', 1, 'needs_response', 2, 'unchanged'],
    ['won', 1, 'under_review', 2, 'unchanged'],
    ['lost', 1, 'needs_response', 2, 'unchanged'],
    ['won', 2, 'won', 3, 'unchanged'],
    ['won', 2, 'lost', 1, 'unchanged'],
    ['won', 2, 'lost', 2, 'unchanged'],
    ['won', 2, 'lost', 3, 'store'],
    ['lost', 2, 'won', 1, 'unchanged'],
    ['lost', 2, 'won', 3, 'store'],
  ] as const)(
    'as %s (second %i), then %s (second %i): %s',
    (one, first, other, second, outcome) => {
      expect(decideDispute(state(one, first), state(other, second))).toEqual({ outcome });
    },
  );

  test.each([
    ['a later amount', { amount: 400 }, 2, 'store'],
    ['an amount of the same second', { amount: 400 }, 1, 'store'],
    ['an earlier amount', { amount: 400 }, 0, 'unchanged'],
    ['another time to respond', { respondBy: at(60) }, 2, 'store'],
    ['another currency', { currency: 'USD' }, 2, 'other_currency'],
  ])('with %s in the same stage: %o at second %i is %s', (_, fields, second, outcome) => {
    const reported = state('needs_response', second, fields);
    expect(decideDispute(state('needs_response', 1), reported)).toEqual({ outcome });
  });

  test('ends in the same state in every order of its reports', () => {
    const reports = [
      state('inquiry', 1),
      state('needs_response', 2, { respondBy: at(60) }),
      state('needs_response', 3, { amount: 400 }),
      state('under_review', 4),
      state('lost', 5),
      state('won', 6),
    ];
    for (const order of permutationsOf([...reports, state('lost', 5)].slice(0, 7))) {
      const end = order.reduce<DisputeState | null>(
        (stored, next) => (decideDispute(stored, next).outcome === 'store' ? next : stored),
        null,
      );
      expect(end).toEqual(reports.at(-1));
    }
  });
});

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, n) =>
    permutationsOf(items.toSpliced(n, 1)).map((rest) => [item, ...rest]),
  );
}

const settlement = { id: 'stl_1', amount: 1000 };
const dispute = (status: DisputeState['status'], amount: number, settlementId = 'stl_1') => ({
  ...{ status, amount, settlementId },
});
const refund = (state: string, amount: number) => ({ state, amount, settlementId: 'stl_1' });

describe('the money of a disputed payment', () => {
  test.each([
    [[], 1000],
    [[dispute('inquiry', 400), dispute('needs_response', 300), dispute('won', 200)], 1000],
    [[dispute('lost', 300)], 700],
    [[dispute('lost', 300, 'stl_2')], 1000],
    [[dispute('lost', 1300)], 0],
  ])('with %j can pay back %i at most', (disputes, remains) => {
    expect(remainsOf(settlement, disputes)).toBe(remains);
  });

  test.each([
    [[], [], 1000, null],
    [[dispute('inquiry', 1000)], [], 1000, null],
    [[dispute('won', 1000)], [], 1000, null],
    [[dispute('lost', 400)], [], 1000, null],
    [[dispute('needs_response', 1000)], [], 1, { disputed: 1000, free: 0 }],
    [[dispute('under_review', 400)], [], 600, null],
    [[dispute('under_review', 400)], [], 601, { disputed: 400, free: 600 }],
    [[dispute('needs_response', 400)], [refund('done', 500)], 101, { disputed: 400, free: 100 }],
    [[dispute('needs_response', 400)], [refund('pending', 600)], 1, { disputed: 400, free: 0 }],
    [[dispute('needs_response', 400)], [refund('failed', 600)], 600, null],
    [[dispute('lost', 300), dispute('needs_response', 400)], [], 301, { disputed: 400, free: 300 }],
    [[dispute('needs_response', 1000, 'stl_2')], [], 1000, null],
  ])(
    'with %j and the refunds %j holds a refund of %i back as %j',
    (disputes, refunds, amount, held) => {
      expect(heldBackBy(settlement, disputes, refunds, [refund('due', amount)])).toEqual(held);
    },
  );

  const due = (id: string, amount: number) => ({ id, state: 'due', amount });
  test.each([
    [1000, [due('a', 600)], []],
    [400, [due('a', 600)], [{ refundId: 'a', rest: 400 }]],
    [0, [due('a', 600), { id: 'b', state: 'done', amount: 400 }], [{ refundId: 'a', rest: 0 }]],
    [700, [due('a', 600), due('b', 300)], [{ refundId: 'b', rest: 100 }]],
    [700, [{ id: 'p', state: 'pending', amount: 700 }, due('a', 1)], [{ refundId: 'a', rest: 0 }]],
  ])('of which %i remains withdraws of the refunds %j: %j', (remains, refunds, covered) => {
    expect(coveredByLost(remains, refunds)).toEqual(covered);
  });
});
