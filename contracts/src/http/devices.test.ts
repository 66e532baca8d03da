import { expect, test } from 'vitest';
import { normalShortCode, shortCodeLetters } from './devices.ts';

test.each([
  ['K7QM-3XTB', 'K7QM3XTB'],
  [' k7qm 3xtb ', 'K7QM3XTB'],
  ['k-7-q-m-3-x-t-b', 'K7QM3XTB'],
  ['K7QM-3XT', null],
  ['K7QM-3XTBB', null],
  ['K7QM-3XT0', null],
  ['K7QM_3XTB', null],
  ['', null],
])('the short code of %j is %s', (text, code) => {
  expect(normalShortCode(text)).toBe(code);
});

test('a short code has no letter that looks like another one', () => {
  expect(shortCodeLetters).toHaveLength(30);
  for (const letter of '01ILOU') expect(shortCodeLetters).not.toContain(letter);
});
