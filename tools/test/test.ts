import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killWithParent, watchParent } from '@event-api/local-servers/tether';
import type { TestCounts } from './summary-reporter.ts';

const root = join(import.meta.dirname, '../..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);

const filters = process.argv.slice(2).filter((argument) => argument !== '--full');
const isFull = process.argv.includes('--full');
const scratch = mkdtempSync(join(tmpdir(), 'event-api-checks-'));
const countsFile = join(scratch, 'counts.json');

const reporters = [
  '--reporter=default',
  `--reporter=${join(root, 'tools/test/summary-reporter.ts')}`,
];
const steps = [
  { title: 'format and lint', command: [bin('biome'), 'ci', '.'] },
  { title: 'types', command: [bin('tsc'), '--noEmit', '--project', join(root, 'tsconfig.json')] },
  {
    title: 'types of the browser code',
    command: [bin('tsc'), '--noEmit', '--project', join(root, 'console/web')],
  },
  {
    title: 'types of the scanner',
    command: [bin('tsc'), '--noEmit', '--project', join(root, 'console/scanner')],
  },
  { title: 'boundaries', command: [process.execPath, join(root, 'tools/test/boundaries.ts')] },
  { title: 'tests', command: [bin('vitest'), 'run', ...reporters, ...filters] },
];

let stopWith: ((signal: NodeJS.Signals) => void) | undefined;
let isStopped = false;

/** Runs one step and returns whether it succeeded. */
async function passes(title: string, command: string[]): Promise<boolean> {
  const startedAt = performance.now();
  console.log(`\n== ${title}`);
  const [program = '', ...args] = [...killWithParent('SIGKILL'), ...command];
  const env = {
    ...process.env,
    TEST_COUNTS_FILE: countsFile,
    ...(isFull && { TEST_SIZE: 'full' }),
  };
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env });
  stopWith = (signal) => child.kill(signal);
  const [code] = await once(child, 'exit');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`== ${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return code === 0;
}

function readCounts(): TestCounts {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function stop(signal: NodeJS.Signals): void {
  isStopped = true;
  stopWith?.(signal);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
watchParent(() => stop('SIGTERM'));

const failedSteps: string[] = [];
for (const { title, command } of steps) {
  if (isStopped) break;
  if (!(await passes(title, command))) failedSteps.push(title);
}
const counts = readCounts();
rmSync(scratch, { recursive: true, force: true });

// Failed tests count individually. A failed step without failed tests counts as one failure.

const unexplained = failedSteps.filter((title) => title !== 'tests' || counts.failed === 0).length;
if (isStopped) console.log('\nstopped before the end');
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(', ')}`);
if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed + unexplained} failed`);
process.exit(failedSteps.length > 0 || isStopped ? 1 : 0);
