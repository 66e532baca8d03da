import { expect, test } from 'vitest';
import type { Registration } from '../../api/records.ts';
import {
  answerChoices,
  answerText,
  isComplimentary,
  mayBeOrderNumber,
  nextSort,
  sortOf,
} from './list.rules.ts';

test('the filters by answers are those of choices and truth values, and no typed text', () => {
  const question = { required: false, options: null };
  const choices = answerChoices([
    { ...question, id: 'meal', label: 'Meal', type: 'choice', options: ['Vegan'] },
    { ...question, id: 'bus', label: 'Bus', type: 'boolean' },
    { ...question, id: 'company', label: 'Company', type: 'text' },
  ]);
  expect(choices.map(({ value, label, filter }) => [value, label, filter.value])).toEqual([
    ['meal:none', 'Meal: no answer', null],
    ['meal:any', 'Meal: any answer', undefined],
    ['meal:is:Vegan', 'Meal: Vegan', 'Vegan'],
    ['bus:none', 'Bus: no answer', null],
    ['bus:any', 'Bus: any answer', undefined],
    ['bus:is:true', 'Bus: Yes', true],
    ['bus:is:false', 'Bus: No', false],
    ['company:none', 'Company: no answer', null],
    ['company:any', 'Company: any answer', undefined],
  ]);
});

test.each([
  [true, 'Yes'],
  [false, 'No'],
  [3, '3'],
  ['Vegan', 'Vegan'],
  ['', '–'],
  [null, '–'],
  [undefined, '–'],
])('the answer %j is shown as %s', (answer, words) => {
  expect(answerText(answer)).toBe(words);
});

test.each([
  [undefined, 'name', 'name'],
  ['name', 'name', 'name-desc'],
  ['name-desc', 'name', 'name'],
  ['name', 'registered', undefined],
  [undefined, 'registered', 'oldest'],
  ['oldest', 'registered', undefined],
  ['oldest', 'status', 'status'],
])('from %s, a click on %s leads to %s', (value, by, expected) => {
  expect(nextSort(value, by)).toBe(expected);
});

test('an unknown order is newest first', () => {
  expect(sortOf('wrong')).toEqual({ sort: 'registered', direction: 'descending' });
});

const types = [
  { id: 'tt_free', priceAmount: 0 },
  { id: 'tt_priced', priceAmount: 2500 },
];
test.each([
  ['confirmed', 'tt_priced', null, true],
  ['confirmed', 'tt_priced', 'ord_1', false],
  ['confirmed', 'tt_free', null, false],
  ['waitlisted', 'tt_priced', null, false],
] as const)(
  '%s with %s and order %s is complimentary: %s',
  (status, registrationTypeId, orderId, expected) => {
    expect(isComplimentary({ status, registrationTypeId, orderId } as Registration, types)).toBe(
      expected,
    );
  },
);

test.each([
  ['ORD-7K3M9QXA', true],
  ['ord 7k3m', true],
  ['#7K3M', true],
  ['7K3M9QXA', true],
  ['Ada', false],
  ['Ada 7', false],
  ['ada7@example.com', false],
  ['reg_01k8zq4m3ne7rbj5t2xw9vd6ah', false],
  ['', false],
])('the search for %s can be for the number of an order: %s', (query, mayBe) => {
  expect(mayBeOrderNumber(query)).toBe(mayBe);
});
