import { lexer, type Tokens } from 'marked';

export interface ErrorEntry {
  /** A status, a code of a 400, or a reason of a 412. */
  name: string;
  meaning: string;
  href: string;
}

const page = '/docs/errors';

/** The errors that the tables of docs/errors.md explain. */
export const errorEntries = (markdown: string): ErrorEntry[] =>
  lexer(markdown)
    .filter((token): token is Tokens.Table => token.type === 'table')
    .flatMap(({ rows }) =>
      rows.flatMap((row) => {
        const name = errorNameOf(row);
        const meaning = row.find(({ text }) => !/^(`|\d)/.test(text))?.text ?? '';
        return name === undefined ? [] : [{ name, meaning, href: `${page}#${name}` }];
      }),
    );

/** The first word in code of a row: a row of a status begins with its number. */
export const errorNameOf = (row: readonly Tokens.TableCell[]): string | undefined =>
  row
    .slice(0, 2)
    .map(({ text }) => /^`(\w+)`$/.exec(text)?.[1])
    .find((name) => name !== undefined);
