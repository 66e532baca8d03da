import { join } from 'node:path';
import { randomPassword } from '@event-api/provisioning/secret-files';
import { natsServer } from './nats.ts';
import { freePort } from './ports.ts';
import { postgresServer } from './postgres.ts';
import { findPrograms, type NativeProgram } from './programs.ts';
import { redisServer } from './redis.ts';
import { createSupervisor } from './supervise.ts';

/**
 * Starts a server of a test run in `folder`: `postgres`, `postgres-<process>`, `redis` or `nats`.
 * The address of PostgreSQL is its superuser's, that of NATS has user and password. Errors: an
 * unknown name; the program cannot be found or does not start.
 */
export async function startServer(
  name: string,
  folder: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const supervisor = createSupervisor((line) => console.error(line));
  const { url, spec } = await serverOf(name, folder);
  await supervisor.start(spec);
  return { url, stop: () => supervisor.stopAll() };
}

async function serverOf(name: string, folder: string) {
  const port = await freePort();
  const own = { folder, port, password: randomPassword() };
  const [, ofProcess] = /^postgres-(\w+)$/.exec(name) ?? [];
  if (ofProcess) return postgresServer({ folder, port, forTests: true, ofProcess });
  if (name === 'postgres') return postgresServer({ folder, port, forTests: true });
  if (name === 'redis') return redisServer(await programs('redis-server'), own);
  if (name === 'nats') return natsServer(await programs('nats-server'), own);
  throw new Error(`there is no test server ${name}`);
}

function programs(name: NativeProgram) {
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  return findPrograms([name], toolchain, (line) => console.error(line));
}
