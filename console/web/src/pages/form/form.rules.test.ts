import { describe, expect, test } from 'vitest';
import {
  move,
  type Orphans,
  orphansOf,
  type Question,
  questionId,
  toEdited,
  toQuestions,
  withIds,
} from './form.rules.ts';

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
  expect(move(['a', 'b', 'c'], 1, 0)).toEqual(['b', 'a', 'c']);
  expect(move(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(move(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(move(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
});

describe('orphansOf names the answers that no longer fit', () => {
  const saved = [
    { id: 'diet', label: 'Diet', type: 'text' as const, required: false, options: null },
    {
      id: 'size',
      label: 'Size',
      type: 'choice' as const,
      required: true,
      options: ['S', 'M', 'L'],
    },
  ];
  const [diet, size] = saved.map(toEdited);
  if (!diet || !size) throw new Error('the questions are missing');
  test.each<[string, Question[], Orphans[]]>([
    ['nothing has changed', [diet, size], []],
    ['a question has another text and place', [size, { ...diet, label: 'Food' }], []],
    ['a question was removed', [size], [{ cause: 'removed', label: 'Diet' }]],
    [
      'a question has another type',
      [{ ...diet, type: 'number' }, size],
      [{ cause: 'type', label: 'Diet' }],
    ],
    [
      'an option was removed or renamed',
      [diet, { ...size, options: 'S\nMedium\n' }],
      [{ cause: 'options', label: 'Size', options: ['M', 'L'] }],
    ],
    ['an option was added', [diet, { ...size, options: 'S\nM\nL\nXL' }], []],
  ])('%s', (_, edited, orphans) => {
    expect(orphansOf(saved, edited)).toEqual(orphans);
  });
});
