import { describe, expect, test } from 'vitest';
import { formText } from '../../text/forms.ts';
import { changedFields, decideIssue, type FieldRules, placeIssues } from './form.rules.ts';

describe('decideIssue', () => {
  test.each<[unknown, FieldRules]>([
    ['', {}],
    [null, { minLength: 3 }],
    ['Ada', { required: true, maxLength: 3 }],
    ['ada@example.com', { format: 'email' }],
    ['https://example.com/x', { format: 'uri' }],
    ['2027-05-10T07:00:00.000Z', { format: 'date-time' }],
    ['2999-05-10T07:00:00+02:00', { format: 'date-time' }],
    ['1970-01-01', { format: 'date' }],
    [3, { minimum: 3, maximum: 3, isInteger: true }],
    [false, { required: true }],
    [[], { required: true }],
    [['a'], { minItems: 1, maxItems: 1 }],
    ['x', { pattern: '[' }],
  ])('accepts %j under %j', (value, rules) => {
    expect(decideIssue(value, rules)).toBeNull();
  });

  test.each<[unknown, FieldRules]>([
    ['  ', { required: true }],
    [undefined, { required: true }],
    ['Adam', { maxLength: 3 }],
    ['a', { minLength: 2 }],
    ['ada', { format: 'email' }],
    ['not a url', { format: 'uri' }],
    ['not a time', { format: 'date-time' }],
    ['2027-05-10T09:00', { format: 'date-time' }],
    ['0002-05-10T09:00', { format: 'date-time' }],
    ['3000-05-10T09:00:00Z', { format: 'date-time' }],
    ['0002-05-10', { format: 'date' }],
    [2, { minimum: 3 }],
    [4, { maximum: 3 }],
    [1.5, { isInteger: true }],
    [Number.NaN, {}],
    [[], { minItems: 1 }],
    [['a', 'b'], { maxItems: 1 }],
    ['B', { pattern: '^[a-z]$' }],
  ])('rejects %j under %j', (value, rules) => {
    expect(decideIssue(value, rules)).toEqual(expect.any(String));
  });
});

test.each([
  ['S\nM\nL', null],
  ['S\n\n\nM\n', null],
  ['S\nM\nS', formText.repeatedLine(3, 'S')],
  // The line as it is on screen, with the empty ones before it; spaces around an entry are not part
  // of it.
  ['\nS\n\nM\n S ', formText.repeatedLine(5, 'S')],
  ['S\ns', null],
])('decideIssue of the lines %j is %j', (value, issue) => {
  expect(decideIssue(value, { hasUniqueLines: true })).toBe(issue);
});

test.each<[string, FieldRules, string]>([
  ['a number', {}, formText.number],
  ['a whole number', { isInteger: true }, formText.wholeNumber],
  ['a date', { format: 'date' }, formText.date],
  ['a time', { format: 'date-time' }, formText.time],
])('decideIssue rejects an unreadable entry for %s, which may be empty', (_, rules, issue) => {
  expect(decideIssue(null, rules)).toBeNull();
  expect(decideIssue(null, rules, true)).toBe(issue);
});

describe('placeIssues', () => {
  const labels = new Map([
    ['startsAt', 'Starts'],
    ['endsAt', 'Ends'],
    ['to', 'To'],
    ['questions[0].label', 'Question'],
    ['questions[0].options', 'Options'],
  ]);
  test.each([
    ['endsAt', 'must not be before startsAt', 'endsAt', 'must not be before Starts'],
    ['to', 'must be equal to otherField', 'to', 'must be equal to other field'],
    [
      'questions[0].options[2]',
      'already appears',
      'questions[0].options',
      'entry 3 already appears',
    ],
    ['questions[0].options', 'is missing', 'questions[0].options', 'is missing'],
    ['questions', 'has too many', 'questions[0].label', 'has too many'],
    ['endsAt.year', 'is wrong', 'endsAt', 'is wrong'],
    ['capacity', 'is too small', 'capacity', 'is too small'],
  ])('shows %j: %j at %j as %j', (field, issue, errorAt, text) => {
    expect([...placeIssues([{ field, issue }], labels)]).toEqual([[errorAt, text]]);
  });

  test('joins the problems of one field', () => {
    const issues = [0, 1].map((index) => ({ field: `endsAt[${index}]`, issue: 'is wrong' }));
    expect(placeIssues(issues, labels).get('endsAt')).toBe('entry 1 is wrong; entry 2 is wrong');
  });
});

test('changedFields finds the fields with another value', () => {
  const before = { name: 'Seat', capacity: 20, items: ['tt_1'], opensAt: null };
  const after = { ...before, capacity: 30, items: ['tt_1'] };
  expect(changedFields(before, after)).toEqual({ capacity: 30 });
});
