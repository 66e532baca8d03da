import { expect, test } from 'vitest';
import { isDayComplete } from './filter-rules.ts';

test.each([
  ['a day', '2027-05-10', false, true],
  ['an empty field', '', false, true],
  ['a day without a year', '', true, false],
  ['the first digit of a year', '0002-05-10', false, false],
  ['the second digit of a year', '0020-05-10', false, false],
  ['the third digit of a year', '0202-05-10', false, false],
  ['the first digit of another year', '0001-12-31', false, false],
  ['a digit too many', '20270-05-10', false, false],
])('the filter gets %s, %j: unreadable %j, complete %j', (_, text, isUnreadable, expected) => {
  expect(isDayComplete(text, isUnreadable)).toBe(expected);
});
