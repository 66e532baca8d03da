import {
  ignoredCharacters,
  joiners,
  otherSeparators,
  plainLetters,
} from '@event-api/contracts/name-words';

// The rule of `matchesName` in SQL. `name-search.slow.test.ts` compares both for every character.
const separators = `[[:punct:][:space:][:cntrl:]${otherSeparators}]+`;
const letters = Object.entries(plainLetters);
const pairs = letters.filter(([, plain]) => plain.length > 1);
const singles = letters.filter(([, plain]) => plain.length === 1);

const withoutJoiners = (text: string) => `regexp_replace(${text}, '[${joiners}]', '', 'g')`;

const inPlainLetters = (text: string): string =>
  pairs.reduce(
    (expression, [letter, plain]) => `replace(${expression}, '${letter}', '${plain}')`,
    `translate(${text}, '${singles.map(([letter]) => letter).join('')}', '${singles.map(([, plain]) => plain).join('')}')`,
  );

const inLowerCase = (text: string): string =>
  `lower(regexp_replace("normalize"(${text}, 'NFKD'), '[${ignoredCharacters}]', '', 'g') collate pg_c_utf8)`;

// The words with separators between them; null if there is none. A lexeme has at most 2046 bytes,
// so long texts are cut.
const folded = (text: string): string =>
  `nullif(regexp_replace(left(${inPlainLetters(inLowerCase(text))}, 480), '^${separators}|${separators}$', '', 'g'), '')`;

/**
 * The SQL expression of the words of a name, each behind the scope in which it is searched. A GIN
 * index on it finds the names of one scope without reading those of others. Null for a name without
 * words.
 */
export const nameVectorSql = (scope: string, name: string): string =>
  `array_to_tsvector(string_to_array(${scope} || ' ' || regexp_replace(${folded(`${name} || ' ' || ${withoutJoiners(name)}`)}, '${separators}', '|' || ${scope} || ' ', 'g'), '|'))`;

/**
 * The SQL expression by which names are sorted: their beginning without case and accents. A missing
 * name is last.
 */
export const nameOrderSql = (name: string): string =>
  `(coalesce(left(${inPlainLetters(inLowerCase(name))}, 40), chr(1114111)) collate "C")`;

const everyWord = (scope: string, text: string): string =>
  `('''' || ${scope} || ' ' || regexp_replace(${folded(text)}, '${separators}', ''':* & ''' || ${scope} || ' ', 'g') || ''':*')::tsquery`;

/**
 * The SQL expression of a query for the names of a scope that match a text. Null for a text without
 * words.
 */
export const nameQuerySql = (scope: string, text: string): string =>
  `(${everyWord(scope, text)} || ${everyWord(scope, withoutJoiners(text))})`;
