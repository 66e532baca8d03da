import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from '@event-api/local-servers/probe';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { stopProcess } from './stop-process.ts';

/** The process of a server of one test, which the test may kill, stall and start again. */
export function createPrivateServer({ name, command, env, isReady, startTimeoutMs }: ChildSpec) {
  const [program = '', ...args] = command;
  let running: ChildProcess | undefined;

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  }
  return {
    async start(): Promise<void> {
      running = spawn(program, args, { env, stdio: 'ignore' });
      if (!(await waitUntil(isReady, startTimeoutMs))) throw new Error(`${name} did not start`);
    },
    /** Kills the server; its port then rejects connections. */
    kill,
    /** Lets the server read its configuration again. */
    reload: () => void running?.kill('SIGHUP'),
    /** Stalls the server: connections stay open without responses. */
    stall: () => stopProcess(running?.pid),
    resume: () => void running?.kill('SIGCONT'),
    async close(): Promise<void> {
      running?.kill('SIGCONT');
      await kill();
    },
  };
}
