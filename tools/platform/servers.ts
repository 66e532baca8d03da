import { existsSync, mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessName, processNames } from '@event-api/contracts/topology';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { ownServerFolder, postgresServer } from '@event-api/local-servers/postgres';
import { findPrograms, type NativeProgram } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import type { ChildSpec, Supervisor } from '@event-api/local-servers/supervise';
import { defaultStreamBytes } from '@event-api/platform/messaging/bus/connect';
import { createStream } from '@event-api/platform/messaging/bus/provision-stream';
import { type DatabaseUrls, sharedDatabase } from '@event-api/provisioning/database-urls';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { root, type StartSettings } from '../settings/settings.ts';
import { decideStreamSize } from './stream-size.rules.ts';

export interface ServerUrls {
  /** Of a role that may create roles and schemas, by process. */
  databaseUrls: DatabaseUrls<ProcessName>;
  natsUrl: string;
  redisUrl: string;
}

/**
 * Starts those of PostgreSQL, NATS and Redis whose address the settings do not give, all at once.
 * With `DATABASES=each` every process gets a PostgreSQL of its own. Errors: ProgramsMissingError;
 * ChildFailedError; settings that contradict each other or the data.
 */
export async function startServers(
  settings: StartSettings,
  supervisor: Supervisor,
  report: (line: string) => void,
): Promise<ServerUrls> {
  const folder = settings.DATA_DIR;
  requireOneLayout(settings);
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

  const startPostgres = async (ofProcess?: ProcessName) =>
    start(postgresServer({ folder, port: await freePort(), ...(ofProcess && { ofProcess }) }));
  const startDatabases = async (): Promise<DatabaseUrls<ProcessName>> => {
    const { DATABASE_URL, DATABASES } = settings;
    if (DATABASES !== 'each')
      return sharedDatabase(DATABASE_URL ?? (await startPostgres()), processNames);
    const entries = processNames.map(async (name) => [name, await startPostgres(name)]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const startNats = async () => {
    const url = await start(natsServer(await programs, await options('nats')));
    await createStream(url, streamBytes);
    return url;
  };
  const startRedis = async () => start(redisServer(await programs, await options('redis')));
  const [databaseUrls, natsUrl, redisUrl] = await Promise.all([
    startDatabases(),
    settings.NATS_URL ?? startNats(),
    settings.REDIS_URL ?? startRedis(),
  ]);
  return { databaseUrls, natsUrl, redisUrl };
}

/** Data stays where it is: with the other setting the platform would start without it. */
function requireOneLayout({ DATA_DIR: folder, DATABASES, DATABASE_URL }: StartSettings): void {
  if (DATABASE_URL !== undefined && DATABASES === 'each')
    throw new Error('DATABASES=each starts its own servers: leave out DATABASE_URL');
  const [own] = processNames;
  const hasEach = own !== undefined && existsSync(ownServerFolder(folder, own));
  const hasOne = existsSync(join(folder, 'postgres'));
  if (DATABASES === 'each' ? hasOne : hasEach && DATABASE_URL === undefined)
    throw new Error(
      `the data in ${folder} was created with DATABASES=${hasOne ? 'one' : 'each'}: choose it again, or another DATA_DIR`,
    );
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
