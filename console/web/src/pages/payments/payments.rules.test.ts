import { expect, test } from 'vitest';
import { situationOf, wordsOf } from './payments.rules.ts';

test.each([
  ['platform', true, 'platform'],
  ['missing', false, 'missing'],
  ['own', true, 'own'],
  ['own', false, 'blocked'],
] as const)('an account %s that can be charged: %s', (account, canCharge, situation) => {
  expect(situationOf({ account, canCharge })).toBe(situation);
});

test.each([
  ['external_account', 'external account'],
  ['individual.dob.day', 'individual: dob: day'],
])('%s reads "%s"', (missing, words) => {
  expect(wordsOf(missing)).toBe(words);
});
