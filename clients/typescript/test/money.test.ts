import { expect, test } from 'vitest';
import { formatMoney } from '../src/cli/money.ts';

test.each([
  [23920, 'EUR', 'EUR 239.20'],
  [5, 'USD', 'USD 0.05'],
  [0, 'CHF', 'CHF 0.00'],
  [1500, 'JPY', 'JPY 1500'],
  [1_234_567, 'KWD', 'KWD 1234.567'],
])('%i in %s is shown as %s', (amount, currency, shown) => {
  expect(formatMoney(amount, currency)).toBe(shown);
});
