import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Numbers of tests of one run. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Writes the counts as JSON to the file TEST_COUNTS_FILE. A failure outside a test (a file that
 * does not load, a hook, an unhandled rejection) counts as a failed test.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const counts: TestCounts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const count = (state: string) => states.filter((other) => other === state).length;
      const failed = count('failed');
      counts.passed += count('passed');
      counts.failed += failed === 0 && !module.ok() ? 1 : failed;
      counts.skipped += count('skipped') + count('pending');
    }
    const file = process.env.TEST_COUNTS_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}
