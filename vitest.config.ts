import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole platforms first: none of their long files is left for the end, when one of the workers would have nothing to do. */
class PlatformsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isOfPlatform = ({ moduleId }: TestSpecification) => /\/(drills|e2e)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isOfPlatform), ...sorted.filter((file) => !isOfPlatform(file))];
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.toolchain/**', '.data/**'],
    globalSetup: ['deploy/local/test-servers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: PlatformsFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: 0,
    env: { NODE_ENV: 'test' },
  },
});
