import { describe, expect, test } from 'vitest';
import { fieldWords, listFields, withFieldWords } from './field-words.ts';

test.each([
  ['email', 'email'],
  ['startsAt', 'starts at'],
  ['registrationTypeId', 'registration type'],
  ['registrationIds', 'registration'],
  ['items[0].unitAmount', 'items 1, unit amount'],
  ['items[0].addonIds[2]', 'items 1, addon 3'],
  ['maxUses', 'max uses'],
  ['id', 'id'],
])('fieldWords of %s is "%s"', (path, words) => {
  expect(fieldWords(path)).toBe(words);
});

describe('withFieldWords', () => {
  const labels = new Map([['startsAt', 'Starts']]);
  test.each([
    ['must not be before startsAt', 'must not be before Starts'],
    ['must be equal to otherField', 'must be equal to other field'],
    ['items[1].quantity must be a number', 'items 2, quantity must be a number'],
    ['must be an email address', 'must be an email address'],
    ['Enter e.g. Ada of example.com', 'Enter e.g. Ada of example.com'],
  ])('makes of "%s" "%s"', (text, words) => {
    expect(withFieldWords(text, labels)).toBe(words);
  });
});

test.each([
  [[], ''],
  [['name'], 'name'],
  [['name', 'startsAt'], 'name and start'],
  [['startsAt', 'startsAt', 'unitAmount', 'name'], 'start, unit amount and name'],
])('the fields %j are listed as "%s"', (fields, words) => {
  expect(listFields(fields, { startsAt: 'start' })).toBe(words);
});
