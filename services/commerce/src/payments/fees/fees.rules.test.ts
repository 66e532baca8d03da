import { expect, test } from 'vitest';
import { feeOf } from './fees.rules.ts';

test.each([
  [null, 1000, 'EUR', 0],
  [{ basisPoints: 0, fixedAmount: 0 }, 1000, 'EUR', 0],
  [{ basisPoints: 250, fixedAmount: 30 }, 1000, 'EUR', 55],
  // 12.5 and 12.49 minor units.
  [{ basisPoints: 250, fixedAmount: 0 }, 500, 'EUR', 13],
  [{ basisPoints: 250, fixedAmount: 0 }, 499, 'EUR', 12],
  [{ basisPoints: 10_000, fixedAmount: 1 }, 1000, 'EUR', 1000],
  [{ basisPoints: 0, fixedAmount: 500 }, 100, 'EUR', 100],
  [{ basisPoints: 250, fixedAmount: 0 }, 3_999, 'JPY', 100],
  // The last digit of three decimals is 0 at the provider, and ariary have no fifths there.
  [{ basisPoints: 250, fixedAmount: 0 }, 1_000, 'KWD', 20],
  [{ basisPoints: 250, fixedAmount: 0 }, 10_000, 'MGA', 200],
  [{ basisPoints: 1, fixedAmount: 0 }, Number.MAX_SAFE_INTEGER, 'EUR', 900_719_925_474],
] as const)('of %o of %s %s is %s', (rule, amount, currency, fee) => {
  expect(feeOf(rule, amount, currency)).toBe(fee);
});
