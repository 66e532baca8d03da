import { expect, test } from 'vitest';
import { move, questionId, toQuestions } from './rules.ts';

test.each([
  ['Diet', [], 'diet'],
  ['Größe des T-Shirts?', [], 'gro-e-des-t-shirts'],
  ['Diet', ['diet'], 'diet-2'],
  ['???', [], 'question'],
])('the id of %j beside %j is %s', (label, used, id) => {
  expect(questionId(label, used)).toBe(id);
});

test('toQuestions keeps ids and reads options line by line', () => {
  const question = { id: '', label: ' Size ', type: 'choice' as const, required: true };
  expect(toQuestions([{ ...question, options: 'S\n\n M ' }])).toEqual([
    { id: 'size', label: 'Size', type: 'choice', required: true, options: ['S', 'M'] },
  ]);
  expect(toQuestions([{ ...question, id: 'old', type: 'text', options: '' }])[0]).toEqual({
    id: 'old',
    label: 'Size',
    type: 'text',
    required: true,
  });
});

test('move stops at the ends', () => {
  expect(move(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(move(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
  expect(move(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(move(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
});
