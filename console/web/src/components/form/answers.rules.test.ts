import { expect, test } from 'vitest';
import { typedAnswers } from './answers.rules.ts';

const question = { label: 'Question', required: true, options: null };
const questions = [
  { ...question, id: 'meal', type: 'choice' as const, options: ['Vegan'] },
  { ...question, id: 'bus', type: 'boolean' as const },
  { ...question, id: 'guests', type: 'number' as const },
  { ...question, id: 'company', type: 'text' as const },
];

test.each([
  [{}, null],
  [{ meal: null, bus: null, guests: null, company: ' ' }, null],
  [{ meal: 'Vegan' }, { meal: 'Vegan' }],
  [
    { bus: true, guests: 0 },
    { bus: true, guests: 0 },
  ],
  [
    { bus: false, company: 'Analytical Engines' },
    { bus: false, company: 'Analytical Engines' },
  ],
  [{ removed: 'x' }, null],
])('of the typed values %j, the answers are %j', (values, answers) => {
  expect(typedAnswers(questions, values)).toEqual(answers);
});
