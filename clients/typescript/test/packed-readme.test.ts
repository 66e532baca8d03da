import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packedReadme } from '../scripts/packed-readme.ts';

const folder = join(import.meta.dirname, '..');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

test('the README of the package has no link into the repository', () => {
  const packed = packedReadme(readme);
  expect(readme).toMatch(/\]\(\.\.\//);
  expect(packed).not.toMatch(/\]\((?!https?:|#)/);
  expect(packed).not.toContain('../');
  expect(packed).toContain('errors (`/docs/errors`)');
  expect(packed).not.toContain('## Development');
  expect(packed).toContain('## Install');
});

test('the paths of guides in the README of the package are those of guides', () => {
  const guides = [...packedReadme(readme).matchAll(/`\/docs\/guides\/([a-z-]+)`/g)];
  expect(guides.length).toBeGreaterThan(2);
  for (const [, name] of guides) {
    expect([name, existsSync(join(folder, `../../docs/guides/${name}.md`))]).toEqual([name, true]);
  }
});

test.each([
  ['[a](../b.md)', null],
  ['[a](b.md#c)', null],
  ['[a](https://example.com/b)', '[a](https://example.com/b)'],
  ['[a](#b)', '[a](#b)'],
  ['see [a](../../docs/errors.md), b', 'see a (`/docs/errors`), b'],
  ['[a](../../examples/README.md)', 'a'],
  ['x\n## Development\ny', 'x\n'],
])('of %j becomes %j; a link to an unknown page is an error', (text, expected) => {
  if (expected === null) expect(() => packedReadme(text)).toThrow('does not know');
  else expect(packedReadme(text)).toBe(expected);
});
