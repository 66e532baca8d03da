import { expect, test } from 'vitest';
import { validateResponses } from './form-responses.ts';

const form = [
  { id: 'name', label: 'Name', type: 'text' as const, required: true },
  { id: 'age', label: 'Age', type: 'number' as const, required: false },
  { id: 'vegan', label: 'Vegan', type: 'boolean' as const, required: false },
  { id: 'size', label: 'Size', type: 'choice' as const, required: false, options: ['S', 'M'] },
];

test.each([
  [{ name: 'Ada' }, []],
  [{ name: 'Ada', age: 36, vegan: false, size: 'M', other: {} }, []],
  [{ name: 'Ada', age: null, size: null }, []],
  [null, ['name required']],
  [{ name: '  ' }, ['name required']],
  [{ name: '\u200b' }, ['name required']],
  [{ name: 'first line\n\tsecond line\r\n' }, []],
  [{ name: 'a bell \u0007' }, ['name invalid_format']],
  [{ name: 'reversed \u202e' }, ['name invalid_format']],
  [{ name: 5 }, ['name invalid_type']],
  [{ name: 'x'.repeat(2001) }, ['name too_big']],
  [{ name: 'Ada', age: '36' }, ['age invalid_type']],
  [{ name: 'Ada', vegan: 'yes' }, ['vegan invalid_type']],
  [{ name: 'Ada', size: 'XL' }, ['size invalid_value']],
  [{ name: 'Ada', size: ['S'] }, ['size invalid_value']],
  [{ age: 'x', size: 1 }, ['name required', 'age invalid_type', 'size invalid_value']],
])('returns the issues of %j', (responses, expected) => {
  const issues = validateResponses(form, responses);
  expect(issues.map(({ field, code }) => `${field.replace('responses.', '')} ${code}`)).toEqual(
    expected,
  );
});

test('ignores inherited properties', () => {
  const question = { id: 'constructor', label: 'Builder?', type: 'text' as const, required: false };
  expect(validateResponses([question], {})).toEqual([]);
  expect(validateResponses([question], { constructor: 'Ada' })).toEqual([]);
  expect(validateResponses([{ ...question, required: true }], {})).toMatchObject([
    { field: 'responses.constructor', code: 'required' },
  ]);
});

test('accepts any responses for an event without a form', () => {
  expect(validateResponses(null, { a: 1 })).toEqual([]);
});
