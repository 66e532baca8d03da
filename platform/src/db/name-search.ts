// Separators of words: control characters, spaces and punctuation. Every other character belongs to a word.
const separators = '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a0\\u2000-\\u206f]+';

/** Whether a text contains a word that a search can find. */
export const hasWords = (text: string): boolean =>
  text.replaceAll(new RegExp(separators, 'gu'), '') !== '';

// Without accents and case; null if no word is left. A lexeme is limited by the server, so long texts are cut.
const folded = (text: string): string =>
  `nullif(regexp_replace(left(lower(regexp_replace("normalize"(${text}, 'NFD'), '[\\u0300-\\u036f]', '', 'g') collate pg_c_utf8), 200), '^${separators}|${separators}$', '', 'g'), '')`;

/**
 * The SQL expression of the words of a name, each behind the scope in which it is searched. A GIN index on it finds the names of
 * one scope without reading those of others. Null for a name without words.
 */
export const nameVectorSql = (scope: string, name: string): string =>
  `array_to_tsvector(string_to_array(${scope} || ' ' || regexp_replace(${folded(name)}, '${separators}', '|' || ${scope} || ' ', 'g'), '|'))`;

/** The SQL expression of a query for the names of a scope that have, for every word of a text, a word that starts with it. */
export const nameQuerySql = (scope: string, text: string): string =>
  `('''' || ${scope} || ' ' || regexp_replace(${folded(text)}, '${separators}', ''':* & ''' || ${scope} || ' ', 'g') || ''':*')::tsquery`;
