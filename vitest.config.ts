import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The drill first: left for the end, it would be running long after the other worker has nothing to do. Those who share a
 * platform last, so that it is not kept beside others that need the processor.
 */
class ByPlatform extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      if (moduleId.endsWith('/drill.test.ts')) return 0;
      return readFileSync(moduleId, 'utf8').includes('sharedPlatform()') ? 2 : 1;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.toolchain/**', '.data/**'],
    globalSetup: ['tools/local-servers/test-servers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Loading everything anew for each file would take a quarter of the time; nothing stays in a module but the shared platform.
    isolate: false,
    sequence: { sequencer: ByPlatform },
    // Only a test that hangs reaches these limits, also on a machine five times slower. They exceed the deadline of `eventually`.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    env: { NODE_ENV: 'test' },
  },
});
