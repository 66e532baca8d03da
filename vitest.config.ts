import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { instrument } from './platform/testing/switches/instrument.ts';

/** `quick`, `slow` (the files `*.slow.test.ts`), `full` (both, in their larger variants) or `all`, for single files. */
const set = process.env.TEST_SET;
const isFull = set === 'full';

/**
 * Runs the slow tests first, because a long one at the end leaves the other worker idle. Runs the files that share a
 * platform last, so that the platform's processes do not slow down the other files.
 */
class ByPlatform extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      if (moduleId.endsWith('.slow.test.ts')) return 0;
      return /sharedPlatform\(\)|useScannerEvent\(\)/.test(readFileSync(moduleId, 'utf8')) ? 2 : 1;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

export default defineConfig({
  plugins: [
    { name: 'instrumented', enforce: 'pre', transform: (code, id) => instrument(code, id) },
  ],
  test: {
    include: [set === 'slow' ? '**/*.slow.test.ts' : '**/*.test.ts'],
    exclude: [
      ...['**/node_modules/**', '.toolchain/**', '.data/**'],
      ...(set === 'quick' ? ['**/*.slow.test.ts'] : []),
    ],
    globalSetup: ['platform/testing/test-servers.ts'],
    setupFiles: ['platform/testing/switches/reset-switches.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Isolation loads all modules again for each file: a quarter of the total time. Only the shared platform is module state.
    isolate: false,
    sequence: { sequencer: ByPlatform },
    // Longer than the timeout of `eventually`, and long enough for a machine that is five times slower.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    env: { NODE_ENV: 'test', ...(isFull && { TEST_SIZE: 'full' }) },
  },
});
