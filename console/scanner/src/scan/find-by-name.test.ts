import { expect, test } from 'vitest';
import { matchesName } from './find-by-name.ts';

test.each<[string, string, boolean]>([
  ['Ada Lovelace', 'ada', true],
  ['Ada Lovelace', 'LOVE a', true],
  ['Ada Lovelace', 'lace', false],
  ['Ada Lovelace', 'ada grace', false],
  ['José Núñez', 'jose nun', true],
  ['Jose Nunez', 'Núñez', true],
  ['Anne-Marie Dupont', 'marie', true],
  ["Conan O'Brien", 'brien', true],
  ['Jürgen Groß', 'gross', true],
  ['דוד בן־גוריון', 'גור', true],
])('the name "%s" matches "%s": %s', (name, query, expected) => {
  expect(matchesName(name, query)).toBe(expected);
});
