import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { waitUntil } from '@event-api/local-servers/probe';
import { findPrograms } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import { randomPassword } from '@event-api/provisioning/secret-files';

/** A Redis server of one test, which the test may kill or stall. It keeps its address across restarts. */
export async function startPrivateRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-redis-'));
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const programs = await findPrograms(['redis-server'], toolchain, () => {});
  const options = { folder, port: await freePort(), password: randomPassword() };
  const { url, spec } = redisServer(programs, options);
  const [program = '', ...args] = spec.command;
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    running = spawn(program, args, { env: spec.env, stdio: 'ignore' });
    if (!(await waitUntil(spec.isReady, spec.startTimeoutMs))) throw new Error('no Redis');
  }
  async function kill(): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }
  await start();
  return {
    url,
    /** Kills the server; its port then rejects connections. */
    kill,
    /** Starts it again, empty, after `kill`. */
    start,
    /** Stalls the server: connections stay open without responses. */
    stall: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
    async close() {
      running?.kill('SIGCONT');
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
