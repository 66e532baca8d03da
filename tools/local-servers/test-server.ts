import { join } from 'node:path';
import { randomPassword } from '@event-api/provisioning/secret-files';
import { natsServer } from './nats.ts';
import { freePort } from './ports.ts';
import { postgresServer } from './postgres.ts';
import { postgresPrograms } from './program-releases.ts';
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
  const ofTests = { folder, port, forTests: true, ...(await olderPostgres()) };
  if (ofProcess) return postgresServer({ ...ofTests, ofProcess });
  if (name === 'postgres') return postgresServer(ofTests);
  if (name === 'redis') return redisServer(await programs('redis-server'), own);
  if (name === 'nats') return natsServer(await programs('nats-server'), own);
  throw new Error(`there is no test server ${name}`);
}

/** With TEST_POSTGRES=17 the programs of that major, which is supported, too. */
async function olderPostgres(): Promise<{ bin?: string }> {
  if (process.env.TEST_POSTGRES !== '17') return {};
  return { bin: await postgresPrograms(17, (line) => console.error(line)) };
}

function programs(name: NativeProgram) {
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  return findPrograms([name], toolchain, (line) => console.error(line));
}
