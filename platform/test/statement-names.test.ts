import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statement } from '../src/db/statement.ts';

const root = join(import.meta.dirname, '../..');

/** The names of all statements that the given sources declare. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\bstatement(?:OfSchema)?(?:<[^()]*>)?\(\s*(['"`])(.*?)\1/g)].map(
    (match) => match[2] ?? '',
  );

/** The names of the statements of all record readers that the given sources create. */
const readerNamesIn = (text: string): string[] =>
  [...text.matchAll(/\brecordReader(?:<[^()]*>)?\(\{\s*name: '(.*?)'/g)].map(
    (match) => match[1] ?? '',
  );

// These build the names of their statements: `listStatement` from the name of the list and its
// filters, the others from their arguments.
const computed = [
  'platform/src/db/list.ts',
  'platform/src/db/record.ts',
  'platform/src/db/statement.ts',
  // Open orders of a cancelled event, and those that are not decided.
  'services/commerce/src/cancellations/cancellations.queries.ts',
  // The comparisons of a unit, and those of all.
  'services/commerce/src/reconciliation/reconciliation.queries.ts',
  // The lists and their sums.
  'services/commerce/src/refunds/list.ts',
  'services/commerce/src/refunds/list.ts',
];

const paths = globSync('{platform,gateway,services/*}/src/**/*.ts', { cwd: root }).filter(
  (path) => !path.endsWith('.test.ts'),
);
const sources = paths.map((path) => readFileSync(join(root, path), 'utf8'));

test('every prepared statement has a unique name', () => {
  const names = sources.flatMap((text) => [...namesIn(text), ...readerNamesIn(text)]);
  expect(names.length).toBeGreaterThan(3);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test('finds declarations in every notation', () => {
  const written =
    "statement('a', `x`); statement<Row>(\n  'b',\n); statement<{ pid: number }>(\"c\"";
  expect(namesIn(written)).toEqual(['a', 'b', 'c']);
});

test('finds as many names as there are declarations, except the computed ones', () => {
  const calls = sources.flatMap(
    (text) => text.match(/\bstatement(?:OfSchema)?(?:<[^()]*>)?\(/g) ?? [],
  );
  // Two calls are the declarations of the functions themselves.
  expect(sources.flatMap(namesIn)).toHaveLength(calls.length - computed.length - 2);
  const readers = sources.flatMap((text) => text.match(/\brecordReader(?:<[^()]*>)?\(\{/g) ?? []);
  expect(sources.flatMap(readerNamesIn)).toHaveLength(readers.length);
  expect(readers.length).toBeGreaterThan(3);
  expect(paths).toEqual(expect.arrayContaining(computed));
});

test('rejects a name that PostgreSQL would truncate', () => {
  expect(() => statement('x'.repeat(64), 'select 1')).toThrow(/too long/);
  expect(statement('x'.repeat(63), 'select 1').name).toHaveLength(63);
});
