import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Interval between checks of the parent process, in milliseconds. */
const WATCH_INTERVAL_MS = 300;

/**
 * Whether util-linux's `setpriv` is available, with which the kernel ends a child with its parent.
 * Cached.
 */
let hasSetpriv: boolean | undefined;
export function setprivAvailable(): boolean {
  hasSetpriv ??= succeeds('setpriv', ['--pdeathsig', 'TERM', 'true']);
  return hasSetpriv;
}

/** Whether the command exits with 0. Its output is discarded. */
export function succeeds(command: string, args: string[], env?: NodeJS.ProcessEnv): boolean {
  return spawnSync(command, args, { stdio: 'ignore', env }).status === 0;
}

/**
 * Returns the prefix of a command that is to receive `signal` when its parent ends, also by
 * SIGKILL. Without `setpriv` (macOS) this file runs as a process between parent and child and
 * watches the parent.
 */
export function killWithParent(signal: NodeJS.Signals): string[] {
  if (setprivAvailable()) return ['setpriv', '--pdeathsig', signal.slice('SIG'.length)];
  return [process.execPath, fileURLToPath(import.meta.url), signal];
}

/**
 * Calls `onExit` once, within half a second, after the parent process has ended. Watches only if
 * tools/bootstrap.mjs is the parent: a script that a person starts may outlive its shell.
 */
export function watchParent(onExit: () => void): void {
  const parent = Number(process.env.EVENT_API_PARENT_PID);
  if (parent !== process.ppid) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onExit();
  }, WATCH_INTERVAL_MS);
  timer.unref();
}

function runWatched(signal: NodeJS.Signals, command: string, args: string[]): void {
  const parent = process.ppid;
  const child = spawn(command, args, { stdio: 'inherit' });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    process.on(name, () => child.kill(name));
  }
  setInterval(() => {
    if (process.ppid !== parent) child.kill(signal);
  }, WATCH_INTERVAL_MS).unref();
  child.on('error', () => process.exit(127));
  child.on('exit', (code) => process.exit(code ?? 1));
}

if (import.meta.main) {
  const [signal, command, ...args] = process.argv.slice(2);
  if (signal !== undefined && command !== undefined) {
    runWatched(signal as NodeJS.Signals, command, args);
  }
}
