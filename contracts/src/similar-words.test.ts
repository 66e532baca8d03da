import { describe, expect, test } from 'vitest';
import { hasSimilarWords, similarWords } from './similar-words.ts';

describe('a word with one wrong letter', () => {
  test.each([
    ['lovelace', 'lovelace'],
    ['lovalace', 'lovelace'],
    ['covelace', 'lovelace'],
    ['lovelacw', 'lovelace'],
    ['lovvelace', 'lovelace'],
    ['llovelace', 'lovelace'],
    ['lovelacee', 'lovelace'],
    ['lovelce', 'lovelace'],
    ['ovelace', 'lovelace'],
    ['loevlace', 'lovelace'],
    ['olvelace', 'lovelace'],
    ['gmial', 'gmail'],
    ['amna', 'anna'],
    ['αλεκη', 'αλεκα'],
    ['иваноф', 'иванов'],
  ])('%s stands for %s', (typed, meant) => {
    expect(similarWords(typed)).toContain(meant);
  });

  test.each([
    ['two wrong letters', 'lavalace', 'lovelace'],
    ['a word that is too short', 'adi', 'ada'],
    ['a word that is too long', 'a'.repeat(21), 'a'.repeat(20)],
    ['a letter of another script', 'иванoв', 'ivanov'],
  ])('does not cover %s', (_, typed, meant) => {
    expect(similarWords(typed)).not.toContain(meant);
  });

  test('has each variant once', () => {
    const variants = similarWords('anna');
    expect(new Set(variants).size).toBe(variants.length);
  });
});

test.each([
  ['Ada', false],
  ['Ada Lov', false],
  ['Lovalace', true],
  ['A. Łovalace', true],
  ['—', false],
])('%s has words that may be wrong: %s', (text, expected) => {
  expect(hasSimilarWords(text)).toBe(expected);
});
