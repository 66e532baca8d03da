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
    /** The superuser's address of the run's PostgreSQL. */
    postgresUrl: string;
    redisUrl: string;
    /** With user and password, which the client library does not read from the address. */
    natsUrl: string;
    /** For files that are removed when the run ends. */
    runFolder: string;
  }
}

/**
 * Starts PostgreSQL, Redis and NATS for this run and returns the function that stops them. They end with vitest, also
 * when it is killed; after a SIGKILL only their temporary folder remains.
 */
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
