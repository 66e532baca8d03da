import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy, waitUntil } from '@event-api/local-servers/probe';
import type { ChildSpec, Supervisor } from '@event-api/local-servers/supervise';
import { stopProcess } from '@event-api/platform/testing/stop-process';
import { bundledCommand } from './bundled-command.ts';

/** Starts and stops processes for a test. None is restarted automatically. */
export interface ControlledProcesses extends Supervisor {
  /** Stops a process, by default with SIGTERM as a deployment does. */
  stop(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** Stops all threads of a running process: its connections stay open without responses. */
  stall(name: string): Promise<void>;
  /** Continues a stalled process; others are not affected. */
  resume(name: string): void;
  /**
   * Waits until a process has exited on its own. Returns its signal or exit code. Errors: not
   * within `withinMs`.
   */
  ended(name: string, withinMs: number): Promise<NodeJS.Signals | number | null>;
  /** Starts a stopped process again, with changed settings if `env` is given. */
  restart(name: string, env?: NodeJS.ProcessEnv): Promise<void>;
  /**
   * Starts a stopped process with the command and the settings of `spec`, under its own name and on
   * its own ports.
   */
  replace(name: string, spec: ChildSpec): Promise<void>;
  /** Starts another copy of a process under its own name and on its own ports. Returns its URLs. */
  startCopy(
    spec: ChildSpec,
    name: string,
    env?: NodeJS.ProcessEnv,
  ): Promise<{ apiUrl: string; internalUrl: string }>;
}

/** With `bundles` the processes of this tree are started from their bundles in this folder. */
export function controlProcesses(bundles?: string): ControlledProcesses {
  const running = new Map<string, { spec: ChildSpec; child: ChildProcess }>();

  async function start(spec: ChildSpec): Promise<void> {
    const [program = '', ...args] = bundles ? bundledCommand(spec.command, bundles) : spec.command;
    // A separate session: Ctrl-C reaches only this process, which then stops the others in order.
    const child = spawn(program, args, {
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => spec.onLine?.(line));
    }
    running.set(spec.name, { spec, child });
    if (!(await waitUntil(spec.isReady, spec.startTimeoutMs))) {
      throw new Error(`${spec.name} did not become ready`);
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
    stall: (name) => stopProcess(find(name).child.pid),
    resume: (name) => void find(name).child.kill('SIGCONT'),
    async ended(name, withinMs) {
      const { child } = find(name);
      const hasEnded = async () => child.exitCode !== null || child.signalCode !== null;
      if (!(await waitUntil(hasEnded, withinMs))) throw new Error(`${name} is still running`);
      return child.signalCode ?? child.exitCode;
    },
    restart(name, env) {
      const { spec } = find(name);
      return start({ ...spec, env: { ...spec.env, ...env } });
    },
    replace(name, spec) {
      const { env, isReady } = find(name).spec;
      const { PORT, INTERNAL_PORT } = env;
      return start({ ...spec, name, env: { ...spec.env, PORT, INTERNAL_PORT }, isReady });
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
