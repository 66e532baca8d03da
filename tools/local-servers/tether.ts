import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How often a watched parent is looked at, in milliseconds. */
const WATCH_MS = 300;

/** Whether util-linux's `setpriv` is here: the kernel then ends a child with its parent. Asked once. */
let hasSetpriv: boolean | undefined;
export function setprivAvailable(): boolean {
  hasSetpriv ??= succeeds('setpriv', ['--pdeathsig', 'TERM', 'true']);
  return hasSetpriv;
}

/** True when the command could be started and ended with 0; its output is thrown away. */
export function succeeds(command: string, args: string[], env?: NodeJS.ProcessEnv): boolean {
  return spawnSync(command, args, { stdio: 'ignore', env }).status === 0;
}

/** The words to put before a command so that it gets `signal` when its parent dies, by SIGKILL too.
 *  Without `setpriv` (macOS) this file stands between parent and child and watches. */
export function killWithParent(signal: NodeJS.Signals): string[] {
  if (setprivAvailable()) return ['setpriv', '--pdeathsig', signal.slice('SIG'.length)];
  return [process.execPath, fileURLToPath(import.meta.url), signal];
}

/** Calls `onGone` once, within half a second, after the process that started this one has died.
 *  Watches only where tools/bootstrap.mjs is the parent: a script started by hand may outlive its shell. */
export function watchParent(onExit: () => void): void {
  const parent = Number(process.env.EVENT_API_PARENT_PID);
  if (parent !== process.ppid) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onExit();
  }, WATCH_MS);
  timer.unref();
}

function runTethered(signal: NodeJS.Signals, command: string, args: string[]): void {
  const parent = process.ppid;
  const child = spawn(command, args, { stdio: 'inherit' });
  for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    process.on(each, () => child.kill(each));
  }
  setInterval(() => {
    if (process.ppid !== parent) child.kill(signal);
  }, WATCH_MS).unref();
  child.on('error', () => process.exit(127));
  child.on('exit', (code) => process.exit(code ?? 1));
}

if (import.meta.main) {
  const [signal, command, ...args] = process.argv.slice(2);
  if (signal !== undefined && command !== undefined) {
    runTethered(signal as NodeJS.Signals, command, args);
  }
}
