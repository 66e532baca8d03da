/**
 * A whole deployment of the platform that shares its public address with others (docs/cells.md).
 * The default cell has no name: null.
 */
export type Cell = string | null;

const name = '[a-z][a-z0-9]{1,11}';

/** The name of a cell. */
export const cellPattern = new RegExp(`^${name}$`);

/** What a message says about another text. */
export const cellRule = 'must be 2 to 12 small letters or digits, a letter first';

/** What is between the prefix of a credential's kind and its secret: `eu2_`, or nothing. */
export const cellMark = (cell: Cell): string => (cell === null ? '' : `${cell}_`);

/**
 * Credentials with one of these prefixes, of any cell. The only group is the name of the cell. A
 * name ends with `_` and a secret has none, so a secret is never taken for a name.
 */
const credentialSource = (prefixes: readonly string[]): string =>
  `(?:${prefixes.join('|')})(?:(${name})_)?[0-9A-Za-z]{32}`;

/** A text that is a credential with one of these prefixes. Its only group is the cell. */
export const credentialPatternOf = (prefixes: readonly string[]): RegExp =>
  new RegExp(`^${credentialSource(prefixes)}$`);

/** Finds a credential with this prefix in a text, such as an address; null without one. */
export const findCredential = (prefix: string, text: string): string | null =>
  new RegExp(credentialSource([prefix])).exec(text)?.[0] ?? null;

/** A cell as a sentence names it. */
export const nameOfCell = (cell: Cell): string =>
  cell === null ? 'the default cell' : `cell ${cell}`;

/** Under this path a cell serves what is asked for without a credential. */
export const cellPath = (cell: Cell): string => (cell === null ? '' : `/cells/${cell}`);
