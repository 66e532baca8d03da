import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from './probe.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** A process that lived this long is taken as healthy: its next restart waits the first pause again. */
const HEALTHY_AFTER_MS = 30_000;
const TAIL_LINES = 40;

/** A process to start and to keep alive. */
export interface ChildSpec {
  name: string;
  /** Program and arguments; put `tether(...)` in front so that it dies with us. */
  command: string[];
  env: NodeJS.ProcessEnv;
  /** Asks it to end; SIGKILL follows after `stopWithinMs` milliseconds. */
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
  /** Asked until it says yes, for `startWithinMs` milliseconds. */
  isReady: () => Promise<boolean>;
  startWithinMs: number;
  /** Each line of its output. Without it only the last lines are kept, for the message if it fails. */
  onLine?: (line: string) => void;
  /** Its first start ended before it was ready with this output: is it worth trying again until `startWithinMs`? */
  mayRetryAfter?: (output: string) => boolean;
}

/** What came of a child that never got ready; the message holds its last lines. */
export class ChildFailedError extends Error {}

export interface Supervisor {
  /** Starts a child and answers when it is ready; from then on it is restarted whenever it ends, with growing pauses.
   *  Errors: ChildFailedError when it ended or did not get ready in time. */
  start(spec: ChildSpec): Promise<void>;
  /** Stops all children, the youngest first, and answers when none is left. Nothing can be started afterwards. */
  stopAll(): Promise<void>;
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
}

interface Supervision {
  children: Slot[];
  stopping: AbortController;
  report: (line: string) => void;
}

/** A supervisor without children. `report` gets one line for everything that a person should know. */
export function createSupervisor(report: (line: string) => void): Supervisor {
  const all: Supervision = { children: [], stopping: new AbortController(), report };
  return {
    start: (spec) => start(all, spec),
    async stopAll() {
      all.stopping.abort();
      for (const slot of all.children.toReversed()) await end(slot.current);
    },
  };
}

async function start(all: Supervision, spec: ChildSpec): Promise<void> {
  const { children, stopping } = all;
  const deadline = performance.now() + spec.startWithinMs;
  for (;;) {
    if (stopping.signal.aborted) {
      throw new ChildFailedError(`${spec.name} was not started any more`);
    }
    const slot = { current: launch(spec) };
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
      throw new ChildFailedError(
        `${spec.name} did not start (${outcome}). Its last lines:\n${output}`,
      );
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
    if (performance.now() - startedAt > HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    report(`${spec.name} ended (${ending}); starting it again in ${pauseMs} ms`);
    if (spec.onLine === undefined) for (const line of tail) report(`${spec.name} | ${line}`);
    await pause(pauseMs, signal);
    if (signal.aborted) return;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    slot.current = launch(spec);
    void waitUntil(spec.isReady, spec.startWithinMs, signal).then((ready) => {
      if (ready) report(`${spec.name} answers again`);
    });
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  wait(ms, undefined, { signal }).catch(() => undefined);

function launch(spec: ChildSpec): Child {
  const [program = '', ...args] = spec.command;
  // A session of its own: Ctrl-C reaches only us, and we stop the children in order.
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

/** 'ready', 'late', or how the child ended. */
async function readyOrEnded(
  child: Child,
  withinMs: number,
  stopping: AbortSignal,
): Promise<string> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stopping]);
  const ready = waitUntil(child.spec.isReady, withinMs, signal).then((is) =>
    is ? 'ready' : 'late',
  );
  const outcome = await Promise.race([ready, child.exited]);
  over.abort();
  return outcome;
}

async function end(child: Child): Promise<void> {
  const { process: running, spec, exited } = child;
  if (running.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
  running.kill(spec.stopSignal);
  const ended = await Promise.race([exited, wait(spec.stopWithinMs, 'late', { ref: false })]);
  if (ended !== 'late') return;
  try {
    process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
  await exited;
}
