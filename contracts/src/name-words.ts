/**
 * The rule by which names are searched, for the databases of the services
 * (`platform/src/db/name-search.ts`) and for devices. The patterns of characters have the same
 * meaning in JavaScript and in PostgreSQL.
 */

/**
 * Marks that a person may leave out: accents, Hebrew points, Arabic vowels. Characters that are not
 * visible within a word.
 */
export const ignoredCharacters =
  '\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u200d\\u2060\\ufe00-\\ufe0f\\ufeff';

/**
 * Separators besides spaces, control characters, punctuation and symbols: marks of direction, and
 * letters used as apostrophes.
 */
export const otherSeparators = '\\u02b9-\\u02bf\\u2000-\\u206f';

/**
 * Apostrophes, hyphens and the Persian non-joiner. They separate words, and a person may also leave
 * them out.
 */
export const joiners =
  '\\u0027\\u002d\\u0060\\u00b4\\u02b9-\\u02bf\\u05be\\u05f3\\u05f4\\u200c\\u2010-\\u2013\\u2018\\u2019\\u2032\\u2212\\uff07\\uff0d';

/**
 * Letters that Unicode does not decompose, in lower case, with the letters by which people without
 * such a keyboard write them.
 */
export const plainLetters = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ς: 'σ',
} as const;

const ignored = new RegExp(`[${ignoredCharacters}]`, 'gu');
// The class `punct` of PostgreSQL has no symbols that are letters, such as `Ⓐ`.
const separators = new RegExp(
  `(?:(?!\\p{Alphabetic})[\\p{P}\\p{S}\\p{White_Space}\\p{Cc}]|[${otherSeparators}])+`,
  'u',
);
const unplain = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');
const joiner = new RegExp(`[${joiners}]`, 'gu');

/** The words of a text for comparison: without case and marks, in plain letters. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(ignored, '')
    .toLowerCase()
    .replaceAll(unplain, (letter) => plainLetters[letter as keyof typeof plainLetters])
    .split(separators)
    .filter(Boolean);

const joinedWordsOf = (text: string): string[] => wordsOf(text.replaceAll(joiner, ''));

/** The words of a name by which it is found, each once. */
export const wordsOfName = (name: string): ReadonlySet<string> =>
  new Set([...wordsOf(name), ...joinedWordsOf(name)]);

/**
 * Whether every word of a query begins a word of the name. An apostrophe or a hyphen separates
 * words or joins them, in both texts: `obrien`, `brien` and `O’Brien` find `O'Brien`. A query
 * without words finds no name.
 */
export function matchesName(name: string, query: string): boolean {
  const words = [...wordsOfName(name)];
  const finds = (parts: string[]) =>
    parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part)));
  return finds(wordsOf(query)) || finds(joinedWordsOf(query));
}
