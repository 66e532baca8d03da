import { join } from 'node:path';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { findPrograms, type NativeProgram } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import type { ChildSpec, Supervisor } from '@event-api/local-servers/supervise';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { root, type StartSettings } from '../settings/settings.ts';

export interface ServerUrls {
  /** Of a role that may create roles and schemas. */
  databaseUrl: string;
  natsUrl: string;
  redisUrl: string;
}

/** Starts those of PostgreSQL, NATS and Redis whose address the settings do not give, all at once.
 *  Errors: ProgramsMissingError; ChildFailedError. */
export async function startServers(
  settings: StartSettings,
  supervisor: Supervisor,
  report: (line: string) => void,
): Promise<ServerUrls> {
  const folder = settings.DATA_DIR;
  const start = async ({ url, spec }: { url: string; spec: ChildSpec }) => {
    await supervisor.start(spec);
    return url;
  };
  const options = async (name: string) => ({
    folder,
    port: await freePort(),
    password: readOrCreatePassword(folder, `${name}.password`),
  });
  const wanted: NativeProgram[] = [];
  if (settings.NATS_URL === undefined) wanted.push('nats-server');
  if (settings.REDIS_URL === undefined) wanted.push('redis-server');
  const programs = findPrograms(wanted, join(root, '.toolchain'), report);

  const startPostgres = async () => start(postgresServer({ folder, port: await freePort() }));
  const startNats = async () => start(natsServer(await programs, await options('nats')));
  const startRedis = async () => start(redisServer(await programs, await options('redis')));
  const [databaseUrl, natsUrl, redisUrl] = await Promise.all([
    settings.DATABASE_URL ?? startPostgres(),
    settings.NATS_URL ?? startNats(),
    settings.REDIS_URL ?? startRedis(),
  ]);
  return { databaseUrl, natsUrl, redisUrl };
}
