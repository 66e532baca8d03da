import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { waitUntil } from '@event-api/local-servers/probe';
import { findPrograms } from '@event-api/local-servers/programs';
import { randomPassword } from '@event-api/provisioning/secret-files';

/** A NATS server of one test, which the test may kill or stall. It keeps its address across restarts. */
export async function startPrivateNats(options: { isUp?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-nats-'));
  const store = join(folder, 'nats');
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const programs = await findPrograms(['nats-server'], toolchain, () => {});
  const own = { folder, port: await freePort(), password: randomPassword() };
  const { url, spec } = natsServer(programs, own);
  const [program = '', ...args] = spec.command;
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    running = spawn(program, args, { env: spec.env, stdio: 'ignore' });
    if (!(await waitUntil(spec.isReady, spec.startTimeoutMs))) throw new Error('no NATS');
  }
  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  }
  if (options.isUp ?? true) await start();
  return {
    url,
    /** Kills the server; its port then rejects connections. */
    kill,
    /** Starts it again with its stored data. */
    start,
    /** Stalls the server: connections stay open without responses. */
    stall: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
    /** Deletes all stored data, as with a new volume. */
    async wipe() {
      await kill();
      rmSync(store, { recursive: true, force: true });
      await start();
    },
    /** Saves a backup of the stored data; this restarts the server. */
    async backUp() {
      await kill('SIGTERM');
      const backup = mkdtempSync(join(tmpdir(), 'event-api-nats-copy-'));
      cpSync(store, backup, { recursive: true });
      await start();
      return async function restore(): Promise<void> {
        await kill();
        rmSync(store, { recursive: true, force: true });
        cpSync(backup, store, { recursive: true });
        rmSync(backup, { recursive: true, force: true });
        await start();
      };
    },
    async close() {
      running?.kill('SIGCONT');
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PrivateNats = Awaited<ReturnType<typeof startPrivateNats>>;
