import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';
import { bin, createRunner, root } from './steps.ts';
import type { TestCounts } from './summary-reporter.ts';

// Without arguments: all checks and the quick tests. `<part of a path> …`: only the tests of these files. `--slow`: the
// slow tests. `--full`: all tests in their larger variants. `--watch`: repeats tests when their files change.
const words = process.argv.slice(2);
const filters = words.filter((word) => !word.startsWith('--'));
const isSlow = words.includes('--slow');
const isFull = words.includes('--full');
const isWatch = words.includes('--watch');
const isWhole = filters.length === 0 && !isSlow && !isFull && !isWatch;

const runner = createRunner();
const scratch = mkdtempSync(join(tmpdir(), 'event-api-checks-'));
const countsFile = join(scratch, 'counts.json');
const failed = isWhole ? await check(runner) : [];
const passed = await runner.passes({
  title: isSlow ? 'slow tests' : 'tests',
  command: [
    bin('vitest'),
    isWatch ? 'watch' : 'run',
    '--reporter=default',
    `--reporter=${join(root, 'tools/test/summary-reporter.ts')}`,
    ...filters,
  ],
  env: {
    TEST_COUNTS_FILE: countsFile,
    TEST_SET: isFull ? 'full' : filters.length > 0 ? 'all' : isSlow ? 'slow' : 'quick',
  },
});
const counts = readCounts();
rmSync(scratch, { recursive: true, force: true });

// Failed tests count individually. A failed step without failed tests counts as one failure.
const unexplained = failed.length + (passed || counts.failed > 0 ? 0 : 1);
if (!passed) failed.push('tests');
if (runner.isStopped()) console.log('\nstopped before the end');
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed + unexplained} failed`);
process.exit(failed.length > 0 || runner.isStopped() ? 1 : 0);

function readCounts(): TestCounts {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
