import { existsSync, mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { findPrograms, type NativeProgram } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import type { ChildSpec, Supervisor } from '@event-api/local-servers/supervise';
import { defaultStreamBytes } from '@event-api/platform/messaging/bus/connect';
import { createStream } from '@event-api/platform/messaging/bus/provision-stream';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { root, type StartSettings } from '../settings/settings.ts';
import { decideStreamSize } from './stream-size.rules.ts';

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
  const streamBytes = await chooseStreamSize(settings, report);
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
  const startNats = async () => {
    const url = await start(natsServer(await programs, await options('nats')));
    await createStream(url, streamBytes);
    return url;
  };
  const startRedis = async () => start(redisServer(await programs, await options('redis')));
  const [databaseUrl, natsUrl, redisUrl] = await Promise.all([
    settings.DATABASE_URL ?? startPostgres(),
    settings.NATS_URL ?? startNats(),
    settings.REDIS_URL ?? startRedis(),
  ]);
  return { databaseUrl, natsUrl, redisUrl };
}

const formatSize = (bytes: number): string =>
  bytes < 1024 ** 3
    ? `${Math.round(bytes / 1024 ** 2)} MB`
    : `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** Errors: the disk has too little space for the servers that are started on it. */
async function chooseStreamSize(
  { DATA_DIR: folder, DATABASE_URL, NATS_URL }: StartSettings,
  report: (line: string) => void,
): Promise<number> {
  if (DATABASE_URL !== undefined && NATS_URL !== undefined) return defaultStreamBytes;
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const size = decideStreamSize({ freeBytes, hasData: existsSync(join(folder, 'nats')) });
  if (size.outcome === 'too_small') {
    throw new Error(
      `the disk of ${folder} has ${formatSize(freeBytes)} free, and the platform needs ` +
        `${formatSize(size.neededBytes)}: choose another one, DATA_DIR=/path npm start`,
    );
  }
  if (size.isReduced) {
    report(
      `the disk of ${folder} has ${formatSize(freeBytes)} free: messages take up to ${formatSize(size.bytes)}`,
    );
  }
  return size.bytes;
}
