import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageFile, performancePage, type RecordedRun, readHistory } from './performance-page.ts';
import { judge } from './verdicts.ts';

const verdict = (name: string, ratios: number[], baseline = [100, 90]) =>
  judge({ name, atLeast: 0.5 }, { ratios, baseline });

const run = (at: string, commit: string, verdicts: RecordedRun['verdicts']): RecordedRun => ({
  at,
  commit,
  machine: '2 processors (test), 8 GiB',
  verdicts,
});

/** Without the spaces that align the columns of tables. */
const onOneSpace = (text: string) => text.replaceAll(/(\S) +\|/g, '$1 |');

test('docs/performance.md shows the recorded runs', () => {
  expect(readFileSync(pageFile, 'utf8')).toBe(performancePage(readHistory()));
});

test('a page without runs says how to record one', () => {
  expect(performancePage([])).toContain('npm run bench -- all --record');
});

test('the latest run is a table and a chart, and older runs are the history', () => {
  const page = onOneSpace(
    performancePage([
      run('2026-01-01 10:00', 'aaaaaaa', [verdict('orders', [0.4, 0.6], [100, 10])]),
      run('2026-02-01 10:00', 'bbbbbbb', [verdict('orders', [0.6, 0.8]), verdict('reads', [0.3])]),
    ]),
  );
  expect(page).toContain('2026-02-01 10:00 UTC, commit `bbbbbbb`, 2 processors (test), 8 GiB.');
  expect(page).toContain('| orders | ≥ 0.5 | 0.70 | 0.60 | 10 % | met |');
  expect(page).toContain('| reads | ≥ 0.5 | 0.30 | 0.30 | 10 % | missed |');
  expect(page).toContain('  bar [0.70, 0.30]\n  line [0.5, 0.5]');
  expect(page).toContain(
    '| 2026-02-01 10:00 `bbbbbbb` | 0.70 | 0.30 |\n| 2026-01-01 10:00 `aaaaaaa` | (0.50) | – |',
  );
});
