import { expect, test } from 'vitest';
import { decideMoving } from './moving.rules.ts';

type Parameters = globalThis.Parameters<typeof decideMoving>;

test.each<[Parameters[0]['status'], Parameters[1]['state'], Parameters[2], string]>([
  ['paid', 'moving', 'changed', 'store'],
  ['paid', 'moving', 'refused', 'end'],
  ['paid', 'moving', 'unknown', 'wait'],
  ['refund_due', 'moving', 'unknown', 'end'],
  ['refunded', 'moving', 'unknown', 'end'],
  ['refund_due', 'moving', 'refused', 'end'],
  ['paid', 'quoted', 'changed', 'ended'],
  ['refunded', 'quoted', 'unknown', 'ended'],
  ['paid', 'executing', 'changed', 'stored'],
  ['paid', 'done', 'changed', 'stored'],
  ['paid', 'done', 'unknown', 'stored'],
])('of an order that is %s, a change that is %s and %s at registration: %s', (...args) => {
  const [status, state, result, expected] = args;
  expect(decideMoving({ status }, { state }, result)).toBe(expected);
});
