import { createRandom } from '@event-api/platform/testing/random';
import { describe, expect, test } from 'vitest';
import { leftOfEach, type PaidMoney, splitRefund } from './split.rules.ts';

/** An order of 1000 whose change has cost 300. */
const payments = [
  { id: 'stl_change', amount: 300 },
  { id: 'stl_order', amount: 1000 },
];
const refund = (settlementId: string, amount: number, state = 'due') => ({
  ...{ settlementId, amount, state },
});
const lost = (settlementId: string, amount: number) => ({
  ...{ settlementId, amount, status: 'lost' as const },
});
const part = (settlementId: string, amount: number) => ({ settlementId, amount });

describe('a refund of several payments', () => {
  test.each<[string, Parameters<typeof splitRefund>, ReturnType<typeof splitRefund>]>([
    ['is of the newest one', [{ payments }, [], 300], [part('stl_change', 300)]],
    [
      'is of the older one as far as it exceeds the newest',
      [{ payments }, [], 301],
      [part('stl_change', 300), part('stl_order', 1)],
    ],
    [
      'is of all of them if it is all',
      [{ payments }, [], 1300],
      [part('stl_change', 300), part('stl_order', 1000)],
    ],
    [
      'leaves out what is due, on its way or done',
      [{ payments }, ['due', 'pending', 'done'].map((of) => refund('stl_change', 99, of)), 50],
      [part('stl_change', 3), part('stl_order', 47)],
    ],
    [
      'counts what has failed or is withdrawn as kept',
      [{ payments }, ['failed', 'withdrawn'].map((of) => refund('stl_change', 300, of)), 300],
      [part('stl_change', 300)],
    ],
    [
      'leaves out what the buyer has got by a lost dispute',
      [{ payments, disputes: [lost('stl_change', 200)] }, [], 150],
      [part('stl_change', 100), part('stl_order', 50)],
    ],
    [
      'is of the first payment as far as it exceeds what is left',
      [{ payments, disputes: [lost('stl_order', 900)] }, [refund('stl_change', 300)], 150],
      [part('stl_order', 150)],
    ],
    ['has no part if it is nothing', [{ payments }, [], 0], []],
    ['has no part without a payment', [{ payments: [] }, [], 100], []],
    [
      'of one payment is one refund',
      [{ payments: payments.slice(1) }, [], 400],
      [part('stl_order', 400)],
    ],
  ])('%s', (_, args, expected) => {
    expect(splitRefund(...args)).toEqual(expected);
  });
});

test('parts sum to the refund, and no payment returns more than it has received', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  let divided = 0;
  for (let n = 0; n < 2000; n++) {
    const random = createRandom(seed + n);
    const money: PaidMoney = {
      payments: Array.from({ length: 1 + random.below(4) }, (_, i) => ({
        id: `stl_${i}`,
        amount: 1 + random.below(1000),
      })),
      disputes: random.chance(0.3) ? [lost('stl_0', 1 + random.below(1000))] : [],
    };
    const refunds: ReturnType<typeof refund>[] = [];
    const leftOf = () => leftOfEach(money, refunds).reduce((sum, { amount }) => sum + amount, 0);
    for (let turn = 0; turn < 6; turn++) {
      const before = leftOf();
      const amount = random.below(before + 1);
      const parts = splitRefund(money, refunds, amount);
      divided += parts.length > 1 ? 1 : 0;
      const sum = parts.reduce((total, each) => total + each.amount, 0);
      expect(sum, `seed ${seed + n}`).toBe(amount);
      refunds.push(...parts.map((each) => refund(each.settlementId, each.amount)));
      expect(leftOf(), `seed ${seed + n}`).toBe(before - amount);
    }
    for (const { id, amount } of money.payments) {
      const ofPayment = refunds.filter(({ settlementId }) => settlementId === id);
      const paidBack = ofPayment.reduce((sum, each) => sum + each.amount, 0);
      expect(paidBack, `seed ${seed + n}`).toBeLessThanOrEqual(amount);
    }
  }
  // It happens, so that the test has seen it.
  expect(divided).toBeGreaterThan(500);
});
