import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatDuration } from './document.ts';
import { constantsOf, readTimeouts } from './values.ts';

const root = join(import.meta.dirname, '../..');

test('every value has its own name', () => {
  const ids = readTimeouts().flatMap(({ values }) => values.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(60);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every value is used', () => {
  const groups = readTimeouts().filter(({ file }) => file.endsWith('/timeouts.ts'));
  const unused = groups.flatMap(({ file, values }) => {
    const isRuntime = file.startsWith('platform/');
    const code = sourcesOf(isRuntime ? '{platform,gateway,services/*}/src' : dirname(file));
    const names = values.map(({ id }) => id.split('.')[1] ?? '');
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  });
  expect(unused).toEqual([]);
});

/** The code below a folder, without tests and the values themselves. */
function sourcesOf(folder: string): string {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root });
  const isCode = (file: string) => !/(\.test|\/timeouts)\.ts$/.test(file);
  return files
    .filter(isCode)
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
}

describe('constantsOf', () => {
  const valuesOf = (property: string) =>
    constantsOf('timeouts.ts', `export const timeouts = {\n${property},\n};`, () => ({
      id: 'door',
      title: 'Door',
    }));

  test('reads the value, what it limits and the reason', () => {
    const [group] = valuesOf(
      '/** A scan waits. Attendees stand\n * in line. */\nwaitMs: 2 * 1_000',
    );
    expect(group?.values).toEqual([
      {
        id: 'door.waitMs',
        value: 2000,
        isDuration: true,
        what: 'A scan waits',
        why: 'Attendees stand in line.',
      },
    ]);
  });

  test.each([
    ['no comment', 'waitMs: 1'],
    ['no reason', '/** A scan waits. */ waitMs: 1'],
    ['no unit', '/** A scan waits. Attendees stand in line. */ wait: 1'],
    ['no number', '/** A scan waits. Attendees stand in line. */ waitMs: other'],
  ])('rejects a value with %s', (_, property) => {
    expect(() => valuesOf(property)).toThrow(/^door\.wait/);
  });
});

test.each([
  [50, '50 ms'],
  [9500, '9.5 s'],
  [60_000, '60 s'],
  [900_000, '15 min'],
  [24 * 3_600_000, '24 h'],
  [7 * 24 * 3_600_000, '7 d'],
])('formats %i ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
