import { expect, test } from 'vitest';
import { attemptStatus } from './payment-attempts.rules.ts';

test.each([
  ['creating', 'open', 'expired'],
  ['open', 'open', 'expired'],
  ['expiring', 'expired', 'expired'],
  ['expired', 'expired', 'expired'],
  ['paid', 'succeeded', 'succeeded'],
  ['mismatch', 'mismatch', 'mismatch'],
  ['refused', 'declined', 'declined'],
  ['declined', 'declined', 'declined'],
] as const)('shows %s as %s in an open order, and as %s in a closed one', (state, open, closed) => {
  expect([attemptStatus(state, true), attemptStatus(state, false)]).toEqual([open, closed]);
});
