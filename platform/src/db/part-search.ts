import { wordsOf } from '@event-api/contracts/name-words';
import { similarWords } from '@event-api/contracts/similar-words';

// A part of a text is found by its runs of three characters, with the means of the search for
// names: an extension such as `pg_trgm` cannot be created by the role of a service, and is not in
// the dump of its schema.
const runLength = 3;

// The separator of the runs.
const storable = (text: string) => `translate(${text}, '|', ' ')`;

/** Every third run, from one of the first three characters on. The separator ends each. */
const runsFrom = (scope: string, text: string, first: number): string =>
  `${scope} || ' ' || regexp_replace(substr(${storable(text)}, ${first}), '(.{${runLength}})', '\\1|' || ${scope} || ' ', 'g')`;

/**
 * The SQL expression of the runs of a text, each behind the scope in which it is searched, for a
 * GIN index. The last runs are shorter. A pattern that looks ahead would cost twice as much.
 */
export const partVectorSql = (scope: string, text: string): string =>
  `array_to_tsvector(array_remove(string_to_array(${[1, 2, 3].map((first) => runsFrom(scope, text, first)).join(" || '|' || ")}, '|'), ${scope} || ' '))`;

const lexeme = (scope: string, text: string): string =>
  `'${`${scope} ${text}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * A query for the texts of a scope that have every run of a part. Most of them contain the part;
 * the statement checks it. A part with fewer characters than a run finds nothing.
 */
export function partQuery(scope: string, part: string): string {
  const characters = [...part.replaceAll('|', ' ')];
  return characters
    .slice(0, 1 - runLength)
    .map((_, at) => lexeme(scope, characters.slice(at, at + runLength).join('')))
    .join(' & ');
}

/**
 * A query for the names of a scope (`nameVectorSql`) of which every word of a text is the start,
 * with one wrong letter at most in each word.
 */
export const similarNameQuery = (scope: string, text: string): string =>
  wordsOf(text)
    .map(
      (word) =>
        `(${similarWords(word)
          .map((each) => `${lexeme(scope, each)}:*`)
          .join(' | ')})`,
    )
    .join(' & ');
