import { expect, test } from 'vitest';
import type { Session } from '../api/session.ts';
import { isOtherOperator } from './session-rules.ts';

const of = (id: string) => ({ operator: { id } }) as Session;

test.each([
  ['the same account', of('opr_1'), of('opr_1'), false],
  ['another account', of('opr_1'), of('opr_2'), true],
  ['an account after none', null, of('opr_1'), false],
  ['an account before the first answer', undefined, of('opr_1'), false],
  ['no account after one', of('opr_1'), null, false],
])('isOtherOperator of %s', (_, before, now, expected) => {
  expect(isOtherOperator(before, now)).toBe(expected);
});
