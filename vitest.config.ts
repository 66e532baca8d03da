import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The drill first: left for the end, it would be running long after the other worker has nothing to do. */
class DrillFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isDrill = ({ moduleId }: TestSpecification) => moduleId.endsWith('/drill.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isDrill), ...sorted.filter((file) => !isDrill(file))];
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.toolchain/**', '.data/**'],
    globalSetup: ['deploy/local/test-servers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Loading everything anew for each file would take a quarter of the time; no file leaves anything behind in a module.
    isolate: false,
    sequence: { sequencer: DrillFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: 0,
    env: { NODE_ENV: 'test' },
  },
});
