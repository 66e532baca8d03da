import { join } from 'node:path';
import { bin, createRunner, type Runner, root, type Step } from './steps.ts';

/**
 * Types are checked again only for files that changed; the results of the last check are in
 * .toolchain.
 */
const types = (title: string, project: string): Step => ({
  title,
  command: [
    bin('tsc'),
    '--noEmit',
    '--incremental',
    ...['--tsBuildInfoFile', join(root, '.toolchain/types', `${project.replace('/', '-')}.json`)],
    ...['--project', join(root, project)],
  ],
});

/** Two lanes of about the same duration, for two cores. */
const lanes: readonly Step[][] = [
  [{ title: 'format and lint', command: [bin('biome'), 'ci', '.'] }],
  [
    types('types', 'tsconfig.json'),
    types('types of the browser code', 'console/web'),
    types('types of the scanner', 'console/scanner'),
    { title: 'boundaries', command: [process.execPath, join(root, 'tools/test/boundaries.ts')] },
  ],
];

/** Checks format, lint, types and boundaries. Returns the titles of the checks that failed. */
export async function check(runner: Runner): Promise<string[]> {
  const failed: string[] = [];
  console.log('\n== format, lint, types, boundaries');
  await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) {
        if (!(await runner.passes({ ...step, isBuffered: true }))) failed.push(step.title);
      }
    }),
  );
  return failed;
}

if (import.meta.main) {
  const failed = await check(createRunner());
  process.exit(failed.length === 0 ? 0 : 1);
}
