import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy, waitUntil } from '@event-api/local-servers/probe';
import type { ChildSpec, Supervisor } from '@event-api/local-servers/supervise';

/** Starts processes and leaves them as a test wants them: none comes back by itself. */
export interface ControlledProcesses extends Supervisor {
  /** Ends one, by default as a deployment does. */
  stop(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal to one that runs, and does not wait for what comes of it. */
  signal(name: string, signal: NodeJS.Signals): void;
  /** Waits until one has ended by itself, and answers what ended it. Errors: when it has not within `withinMs`. */
  ended(name: string, withinMs: number): Promise<NodeJS.Signals | number | null>;
  /** Starts one that was stopped, with other settings if some are given. */
  restart(name: string, env?: NodeJS.ProcessEnv): Promise<void>;
  /** Starts another copy of a process under a name and on ports of its own, and answers where. */
  startCopy(
    spec: ChildSpec,
    name: string,
    env?: NodeJS.ProcessEnv,
  ): Promise<{ apiUrl: string; internalUrl: string }>;
}

export function controlProcesses(): ControlledProcesses {
  const running = new Map<string, { spec: ChildSpec; child: ChildProcess }>();

  async function start(spec: ChildSpec): Promise<void> {
    const [program = '', ...args] = spec.command;
    // A session of its own: Ctrl-C reaches only us, and we say what ends when.
    const child = spawn(program, args, {
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => spec.onLine?.(line));
    }
    running.set(spec.name, { spec, child });
    if (!(await waitUntil(spec.isReady, spec.startWithinMs))) {
      throw new Error(`${spec.name} did not get ready`);
    }
  }

  function find(name: string) {
    const found = running.get(name);
    if (!found) throw new Error(`${name} was never started`);
    return found;
  }

  async function stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = find(name);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  return {
    start,
    stop,
    signal: (name, signal) => void find(name).child.kill(signal),
    async ended(name, withinMs) {
      const { child } = find(name);
      const hasEnded = async () => child.exitCode !== null || child.signalCode !== null;
      if (!(await waitUntil(hasEnded, withinMs))) throw new Error(`${name} still runs`);
      return child.signalCode ?? child.exitCode;
    },
    restart(name, env) {
      const { spec } = find(name);
      return start({ ...spec, env: { ...spec.env, ...env } });
    },
    async startCopy(spec, name, env = {}) {
      const [port, internalPort] = [await freePort(), await freePort()];
      const internalUrl = `http://127.0.0.1:${internalPort}`;
      await start({
        ...spec,
        name,
        env: { ...spec.env, PORT: String(port), INTERNAL_PORT: String(internalPort), ...env },
        isReady: () => isHealthy(`${internalUrl}/readyz`),
      });
      return { apiUrl: `http://127.0.0.1:${port}`, internalUrl };
    },
    async stopAll() {
      await Promise.all([...running.keys()].map((name) => stop(name)));
    },
  };
}
