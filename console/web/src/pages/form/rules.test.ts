import { expect, test } from 'vitest';
import { move, questionId, toQuestions, withIds } from './rules.ts';

test.each([
  ['Diet', [], 'diet'],
  ['Größe des T-Shirts?', [], 'gro-e-des-t-shirts'],
  ['Diet', ['diet'], 'diet-2'],
  ['???', [], 'question'],
])('the id of %j beside %j is %s', (label, used, id) => {
  expect(questionId(label, used)).toBe(id);
});

test('withIds keeps ids, and gives each new question one of its own', () => {
  const question = { label: 'Size', type: 'text' as const, required: true, options: '' };
  const edited = [
    { ...question, id: 'old' },
    { ...question, id: '' },
    { ...question, id: '' },
  ];
  const named = withIds(edited);
  expect(named.map(({ id }) => id)).toEqual(['old', 'size', 'size-2']);
  const renamed = named.map((each) => ({ ...each, label: 'Shoe size' }));
  expect(withIds(renamed).map(({ id }) => id)).toEqual(['old', 'size', 'size-2']);
});

test('toQuestions trims texts and reads options line by line', () => {
  const question = { id: 'size', label: ' Size ', type: 'choice' as const, required: true };
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
