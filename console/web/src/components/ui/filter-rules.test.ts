import { expect, test } from 'vitest';
import { type FilterForm, isDayComplete, validFilters } from './filter-rules.ts';

const choices = [{ value: 'paid' }, { value: 'held' }];

test.each<[FilterForm, string, boolean]>([
  [choices, 'paid', true],
  [choices, 'wrong', false],
  [choices, 'PAID', false],
  [choices, '', false],
  [[], 'paid', false],
  [undefined, 'paid', true],
  ['day', '2027-05-10', true],
  ['day', '2028-02-29', true],
  ['day', '2027-02-29', false],
  ['day', '2027-13-01', false],
  ['day', '2027-5-1', false],
  ['day', '2027-05-10T09:00', false],
  ['day', '0002-05-10', false],
  ['day', '12027-05-10', false],
  ['day', 'nonsense', false],
  ['day', '', false],
  [{ maxLength: 4 }, 'ada', true],
  [{ maxLength: 4 }, 'ada l', false],
  [{ maxLength: 4 }, 'a\0a', false],
])('a filter of the form %j has the value %j: %j', (form, value, isValid) => {
  expect(validFilters({ filter: value }, { filter: form })).toEqual(
    isValid ? { filter: value } : {},
  );
});

test('values without a form stay as they are', () => {
  const address = { pages: '2', status: 'wrong', from: undefined };
  expect(validFilters(address, { status: choices, from: 'day' })).toEqual({
    pages: '2',
    from: undefined,
  });
});

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
