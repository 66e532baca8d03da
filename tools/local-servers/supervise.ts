import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from './probe.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/**
 * After running this long a process counts as healthy, and its next restart waits for the first
 * pause only.
 */
const HEALTHY_AFTER_MS = 30_000;
const TAIL_LINES = 40;

/** A process to start and to restart when it ends. */
export interface ChildSpec {
  name: string;
  /** Program and arguments. Prefix `killWithParent(...)` to end it together with this process. */
  command: string[];
  env: NodeJS.ProcessEnv;
  /** Requests the end; SIGKILL follows after `stopTimeoutMs` milliseconds. */
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
  /** Polled until it returns true, for at most `startTimeoutMs` milliseconds. */
  isReady: () => Promise<boolean>;
  startTimeoutMs: number;
  /**
   * Called with each line of output. The last lines are also part of the error message of a
   * failure.
   */
  onLine?: (line: string) => void;
  /**
   * Whether to retry, until `startTimeoutMs`, a first start that ended with this output before it
   * was ready.
   */
  mayRetryAfter?: (output: string) => boolean;
}

/** A child ended or timed out before it was ready. The message contains its last lines. */
export class ChildFailedError extends Error {}

export interface Supervisor {
  /**
   * Starts a child and resolves when it is ready. From then on it is restarted each time it ends,
   * with growing pauses.
   * Errors: ChildFailedError when it ends or times out before it is ready.
   */
  start(spec: ChildSpec): Promise<void>;
  /**
   * Stops all children in reverse order and resolves when all have ended. Later calls of `start`
   * fail.
   */
  stopAll(): Promise<void>;
}

/** A supervisor whose children can be measured and replaced. */
export interface ObservableSupervisor extends Supervisor {
  /** Process ids of the running children, by name. */
  pids(): Record<string, number>;
  /**
   * Kills the named child and starts it again at once, without a drain. Resolves when it is ready
   * again, or has not become so in its time. An unknown name has no effect.
   */
  restart(name: string): Promise<void>;
}

interface Child {
  spec: ChildSpec;
  process: ChildProcess;
  startedAt: number;
  exited: Promise<string>;
  tail: string[];
}

interface Slot {
  current: Child;
  /** Whether the current child was killed to start it again. */
  isRestarting: boolean;
  /** Settles when a restart has ended. */
  restarted: PromiseWithResolvers<void> | null;
}

interface Supervision {
  children: Slot[];
  stopping: AbortController;
  report: (line: string) => void;
}

/**
 * Creates a supervisor without children. `report` is called with each line to show at the terminal.
 */
export function createSupervisor(report: (line: string) => void): ObservableSupervisor {
  const all: Supervision = { children: [], stopping: new AbortController(), report };
  return {
    start: (spec) => start(all, spec),
    pids: () =>
      Object.fromEntries(
        all.children.flatMap(({ current: { spec, process } }) =>
          process.pid === undefined ? [] : [[spec.name, process.pid]],
        ),
      ),
    async restart(name) {
      const slot = all.children.find(({ current }) => current.spec.name === name);
      if (slot === undefined) return;
      slot.restarted ??= Promise.withResolvers<void>();
      if (!slot.isRestarting) slot.current.process.kill('SIGKILL');
      slot.isRestarting = true;
      await slot.restarted.promise;
    },
    async stopAll() {
      all.stopping.abort();
      for (const slot of all.children.toReversed()) await end(slot.current);
    },
  };
}

async function start(all: Supervision, spec: ChildSpec): Promise<void> {
  const { children, stopping } = all;
  const deadline = performance.now() + spec.startTimeoutMs;
  for (;;) {
    if (stopping.signal.aborted) {
      throw new ChildFailedError(`${spec.name} was not started: the platform is stopping`);
    }
    const slot: Slot = { current: launch(spec), isRestarting: false, restarted: null };
    children.push(slot);
    const left = deadline - performance.now();
    const outcome = await readyOrEnded(slot.current, left, stopping.signal);
    if (outcome === 'ready') {
      void keepAlive(all, slot);
      return;
    }
    await end(slot.current);
    children.splice(children.indexOf(slot), 1);
    const output = slot.current.tail.join('\n');
    if (outcome === 'late' || left <= 0 || !spec.mayRetryAfter?.(output)) {
      throw new ChildFailedError(`${spec.name} did not start (${outcome}). Last lines:\n${output}`);
    }
    await pause(FIRST_PAUSE_MS, stopping.signal);
  }
}

async function keepAlive({ stopping: { signal }, report }: Supervision, slot: Slot): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const { spec, startedAt, tail, exited } = slot.current;
    const ending = await exited;
    if (signal.aborted) return;
    if (slot.isRestarting) {
      slot.isRestarting = false;
    } else {
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      report(`${spec.name} ended (${ending}), restarting in ${pauseMs} ms`);
      if (spec.onLine === undefined) for (const line of tail) report(`${spec.name} | ${line}`);
      await pause(pauseMs, signal);
      if (signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    slot.current = launch(spec);
    void waitUntil(spec.isReady, spec.startTimeoutMs, signal).then((ready) => {
      if (ready) report(`${spec.name} is ready again`);
      slot.restarted?.resolve();
      slot.restarted = null;
    });
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  wait(ms, undefined, { signal }).catch(() => undefined);

function launch(spec: ChildSpec): Child {
  const [program = '', ...args] = spec.command;
  // In its own session the child does not receive Ctrl-C; the supervisor stops the children in
  // order.
  const child = spawn(program, args, {
    env: spec.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (tail.push(line) > TAIL_LINES) tail.shift();
      spec.onLine?.(line);
    });
  }
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return { spec, process: child, startedAt: performance.now(), exited, tail };
}

/** Returns 'ready', 'late', or how the child ended. */
async function readyOrEnded(
  child: Child,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<string> {
  const finished = new AbortController();
  const signal = AbortSignal.any([finished.signal, stopping]);
  const ready = waitUntil(child.spec.isReady, timeoutMs, signal).then((is) =>
    is ? 'ready' : 'late',
  );
  const outcome = await Promise.race([ready, child.exited]);
  finished.abort();
  return outcome;
}

async function end(child: Child): Promise<void> {
  const { process: running, spec, exited } = child;
  if (running.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
  running.kill(spec.stopSignal);
  const ended = await Promise.race([exited, wait(spec.stopTimeoutMs, 'late', { ref: false })]);
  if (ended !== 'late') return;
  try {
    process.kill(-running.pid, 'SIGKILL');
  } catch {
    // The process has ended meanwhile.
  }
  await exited;
}
