import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@event-api/deploy-local/probe';
import { killWithParent } from '@event-api/deploy-local/tether';
import { type ProcessEntry, processesOn, survivorsOf, treeOf } from './processes.ts';

const root = join(import.meta.dirname, '..');
const RUN = join(root, 'scripts/run.mjs');

/** What `npm start` runs, started by a test. */
export interface PlatformUnderTest {
  process: ChildProcess;
  /** Everything that it has written so far, to either stream. */
  output(): string;
  /** Answers when `text` has been written. Errors: when it ends before, or after two minutes. */
  until(text: string): Promise<void>;
  /** Answers the exit code, or the signal that ended it. */
  exit: Promise<number | NodeJS.Signals | null>;
  /** Everything that runs for it now. */
  processes(): ProcessEntry[];
}

/** An empty folder that no other test uses. */
export const newDataDir = () => mkdtempSync(join(tmpdir(), 'event-api-e2e-'));

/** Starts the platform on `DATA_DIR` and `PORT` of `env`; further settings come from there too. */
export function startPlatform(
  env: { DATA_DIR: string; PORT: string } & NodeJS.ProcessEnv,
): PlatformUnderTest {
  // Should the test run be killed, this goes with it.
  const [program = '', ...args] = [
    ...killWithParent('SIGTERM'),
    process.execPath,
    RUN,
    'scripts/start.ts',
  ];
  const child = spawn(program, args, {
    // Like a shell of its own: neither the test run's settings nor its Ctrl-C reach it.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  const exit = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    process: child,
    output: () => output,
    exit,
    processes: () => [...treeOf(child.pid ?? 0), ...processesOn(env.DATA_DIR)],
    async until(text) {
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
      await waitUntil(async () => output.includes(text) || hasEnded(), 120_000);
      if (!output.includes(text)) throw new Error(`never said "${text}":\n${output}`);
    },
  };
}

/** Waits until neither these processes nor others on `dataDir` run, and answers those that are left after 20 seconds. */
export async function leftOver(entries: ProcessEntry[], dataDir: string): Promise<string[]> {
  const left = () => [...survivorsOf(entries), ...processesOn(dataDir)];
  await waitUntil(async () => left().length === 0, 60_000);
  return left().map(({ pid, commandLine }) => `${pid} ${commandLine}`);
}

/** Ends whatever a failed test left on `dataDir`. */
export function killAllOn(dataDir: string): void {
  for (const { pid } of processesOn(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
}

/** Runs `npm run -s admin -- <words>` on `dataDir`. */
export function admin(
  dataDir: string,
  ...words: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const args = [RUN, 'scripts/admin.ts', ...words];
    const child = execFile(process.execPath, args, { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
