import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The names of all statements that the given sources declare. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\bstatement(?:<[^()]*>)?\(\s*(['"`])(.*?)\1/g)].map((match) => match[2] ?? '');

const sources = globSync('{platform,gateway,services/*}/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(root, path), 'utf8'));

it('gives every prepared statement a name of its own', () => {
  const names = sources.flatMap(namesIn);
  expect(names.length).toBeGreaterThan(3);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

it('finds a declaration however it is written', () => {
  const written =
    "statement('a', `x`); statement<Row>(\n  'b',\n); statement<{ pid: number }>(\"c\"";
  expect(namesIn(written)).toEqual(['a', 'b', 'c']);
});

it('finds as many names as there are declarations: each is written out', () => {
  const calls = sources.flatMap((text) => text.match(/\bstatement(?:<[^()]*>)?\(/g) ?? []);
  expect(sources.flatMap(namesIn)).toHaveLength(calls.length);
});

it('keeps names short enough for PostgreSQL to tell them apart', () => {
  const tooLong = sources.flatMap(namesIn).filter((name) => Buffer.byteLength(name) > 63);
  expect(tooLong).toEqual([]);
});
