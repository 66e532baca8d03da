import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomPassword } from '@event-api/provisioning/secret-files';
import type { TestProject } from 'vitest/node';
import { natsServer } from './nats.ts';
import { freePort } from './ports.ts';
import { postgresServer } from './postgres.ts';
import { findPrograms } from './programs.ts';
import { redisServer } from './redis.ts';
import { createSupervisor } from './supervise.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address of the run's PostgreSQL, which keeps nothing. */
    postgresUrl: string;
    redisUrl: string;
    /** With user and password, which the client library does not read from the address by itself. */
    natsUrl: string;
    /** Of files that go when the run ends. */
    runFolder: string;
  }
}

/** Starts the run's own PostgreSQL, Redis and NATS before the first test and answers how to stop them.
 *  They die with vitest however it ends; only their folder in the system's temporary one outlives a SIGKILL. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const supervisor = createSupervisor((line) => console.error(line));
  const folder = mkdtempSync(join(tmpdir(), 'event-api-test-'));
  const stop = async () => {
    await supervisor.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const toolchain = join(import.meta.dirname, '../../.toolchain');
    const programs = await findPrograms(['nats-server', 'redis-server'], toolchain, (line) =>
      console.error(line),
    );
    const own = async () => ({ folder, port: await freePort(), password: randomPassword() });
    const postgres = postgresServer({ folder, port: await freePort(), forTests: true });
    const redis = redisServer(programs, await own());
    const nats = natsServer(programs, await own());
    await Promise.all([postgres, redis, nats].map(({ spec }) => supervisor.start(spec)));
    project.provide('postgresUrl', postgres.url);
    project.provide('redisUrl', redis.url);
    project.provide('natsUrl', nats.url);
    project.provide('runFolder', folder);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
