import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  createPostgresFolder,
  createServerFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@event-api/platform/testing/private-postgres';
import { archiveSettings } from '@event-api/provisioning/backup/archive';
import { BackupError } from '@event-api/provisioning/backup/backup-error';
import {
  type BackupManifest,
  findProblems,
  listBackups,
} from '@event-api/provisioning/backup/manifest';
import { deleteOldBackups } from '@event-api/provisioning/backup/prune';
import { type RestoreTarget, restoreBackup } from '@event-api/provisioning/backup/restore';
import { takeBackup } from '@event-api/provisioning/backup/take';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const backups = mkdtempSync(join(tmpdir(), 'event-api-backups-'));
const wal = join(backups, 'wal');
const primaryFolder = createPostgresFolder();
const servers: PrivatePostgres[] = [];
const folders: string[] = [primaryFolder.folder, backups];
let primary: PrivatePostgres;
/** Between the rows `early` and `late`. */
let between: Date;

const idsOf = async (server: PrivatePostgres) =>
  (await server.sql<{ id: string }>('select id from note order by id')).map(({ id }) => id);

const write = (server: PrivatePostgres, id: string) =>
  server.sql('insert into note (id) values ($1)', [id]);

const takeOfPrimary = (options: { archiveTimeoutMs?: number } = {}) =>
  takeBackup({ databaseUrl: primary.url, data: primaryFolder.data, backups, ...options });

/** Ends the current segment and waits until it is in the archive. */
async function archiveLog(server: PrivatePostgres): Promise<void> {
  const [row] = await server.sql<{ name: string }>(
    'select pg_walfile_name(pg_switch_wal()) as name',
  );
  await eventually(() => expect(readdirSync(wal)).toContain(`${row?.name}.gz`));
}

async function start(
  target: RestoreTarget,
  options: { archives?: boolean } = {},
): Promise<{ server: PrivatePostgres; data: string }> {
  const { folder, data } = createPostgresFolder();
  folders.push(folder);
  await restoreBackup({ backups, data, target });
  const server = await startPrivatePostgres({
    folder,
    like: primaryFolder.folder,
    ...(options.archives && { settings: archiveSettings(backups) }),
  });
  servers.push(server);
  return { server, data };
}

/** Once the log is replayed, the server accepts writes. */
const replayed = (server: PrivatePostgres) =>
  eventually(async () =>
    expect(await server.sql('select pg_is_in_recovery() as recovering')).toEqual([
      { recovering: false },
    ]),
  );

/**
 * Writes rows until the returned function is called, which returns the ids of the acknowledged
 * ones.
 */
function keepWriting(): () => Promise<number> {
  let stopped = false;
  let written = 0;
  const writing = (async () => {
    for (; !stopped; written++) await write(primary, `during-${String(written).padStart(6, '0')}`);
  })();
  return async () => {
    stopped = true;
    await writing;
    return written;
  };
}

beforeAll(async () => {
  createServerFolder(wal);
  createServerFolder(backups);
  primary = await startPrivatePostgres({
    folder: primaryFolder.folder,
    settings: archiveSettings(backups),
  });
  servers.push(primary);
  await primary.sql(
    'create table note (id text primary key, body text default repeat(md5(random()::text), 20))',
  );
  const stopWriting = keepWriting();
  await takeOfPrimary();
  expect(await stopWriting()).toBeGreaterThan(0);
  await write(primary, 'early');
  const [row] = await primary.sql<{ now: Date }>(
    'select clock_timestamp() as now from pg_sleep(0.01)',
  );
  between = row?.now ?? new Date(0);
  await primary.sql('select pg_sleep(0.01)');
  await write(primary, 'late');
  await archiveLog(primary);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('a standby made from a backup follows its primary', async () => {
  const { hostname, port, username, password } = new URL(primary.url);
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
  const { server: standby } = await start({ kind: 'standby', connection });
  await write(primary, 'followed');
  await eventually(async () => expect(await idsOf(standby)).toContain('followed'));
  expect(await idsOf(standby)).toEqual(await idsOf(primary));
  await expect(write(standby, 'own')).rejects.toThrow(/read-only/);
});

test('a restore to the end of the log has every acknowledged row', async () => {
  await archiveLog(primary);
  const { server: restored } = await start({ kind: 'end' });
  await replayed(restored);
  const ids = await idsOf(restored);
  expect(ids).toEqual(await idsOf(primary));
  expect(ids).toEqual(expect.arrayContaining(['early', 'followed', 'late']));
  expect(
    await restored.sql('select count(*) as corrupt from note where length(body) <> 640'),
  ).toEqual([{ corrupt: '0' }]);
});

test('a restore to a time has what was committed before it, and nothing later', async () => {
  const { server: restored } = await start({ kind: 'time', time: between });
  await replayed(restored);
  const ids = await idsOf(restored);
  expect(ids).toContain('early');
  expect(ids).not.toContain('late');
  expect(ids.filter((id) => id.startsWith('during'))).toEqual(
    (await idsOf(primary)).filter((id) => id.startsWith('during')),
  );
});

describe('a restore changes nothing and names', () => {
  async function errorOf(): Promise<string> {
    const { folder, data } = createPostgresFolder();
    folders.push(folder);
    const restoring = restoreBackup({ backups, data, target: { kind: 'end' } });
    const error = await restoring.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BackupError);
    expect(readdirSync(folder)).toEqual([]);
    return (error as BackupError).message;
  }

  async function errorWithout(path: string): Promise<string> {
    renameSync(path, `${path}.away`);
    try {
      return await errorOf();
    } finally {
      renameSync(`${path}.away`, path);
    }
  }

  const backup = () => listBackups(backups)[0] as BackupManifest;
  const folder = () => join(backups, 'base', backup().name);

  test('a backup without its manifest', async () => {
    expect(await errorWithout(join(folder(), 'backup.json'))).toBe('there is no complete backup');
  });

  test.each(['backup_label', 'global/pg_control', 'PG_VERSION'])(
    '%s if it is missing',
    async (path) => {
      expect(await errorWithout(join(folder(), 'data', path))).toContain(`${path} is missing`);
    },
  );

  test('a file that has changed', async () => {
    const path = join(folder(), 'data/PG_VERSION');
    const content = readFileSync(path);
    writeFileSync(path, '17\n');
    const message = await errorOf();
    writeFileSync(path, content);
    expect(message).toContain('the file PG_VERSION has changed');
  });

  test('a missing part of the log, during the backup and after it', async () => {
    const { startSegment, stopSegment } = backup();
    const later = readdirSync(wal)
      .filter((name) => /^[0-9A-F]{24}\.gz$/.test(name) && name > `${stopSegment}.gz`)
      .map((name) => name.slice(0, -3))
      .toSorted();
    expect(later.length).toBeGreaterThan(1);
    for (const name of [startSegment, later[0]]) {
      expect(await errorWithout(join(wal, `${name}.gz`))).toContain(
        `the segment ${name} is not in the archived log`,
      );
    }
  });

  test('an existing data folder, which --replace keeps under another name', async () => {
    const { folder: parent, data } = createPostgresFolder();
    folders.push(parent);
    mkdirSync(data);
    writeFileSync(join(data, 'precious'), '');
    const options = { backups, data, target: { kind: 'end' } as const };
    await expect(restoreBackup(options)).rejects.toThrow(/not empty/);
    const { replaced } = await restoreBackup({ ...options, replace: true });
    expect(existsSync(join(replaced ?? '', 'precious'))).toBe(true);
    expect(existsSync(join(data, 'recovery.signal'))).toBe(true);
    // A server that is running, or did not end properly.
    writeFileSync(join(data, 'postmaster.pid'), '');
    await expect(restoreBackup({ ...options, replace: true })).rejects.toThrow(/stop it first/);
  });
});

describe('a backup is an error', () => {
  test('if its log is not archived, and is then not complete', async () => {
    // Another server has archived other segments with the next names.
    const [row] = await primary.sql<{ name: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as name',
    );
    const current = Number.parseInt(row?.name.slice(-8) ?? '', 16);
    const others = Array.from({ length: 6 }, (_, index) => {
      const number = (current + index).toString(16).toUpperCase().padStart(8, '0');
      return join(wal, `${row?.name.slice(0, -8)}${number}.gz`);
    });
    for (const file of others) writeFileSync(file, 'other');
    await expect(takeOfPrimary({ archiveTimeoutMs: 1000 })).rejects.toThrow(
      /has not archived its log/,
    );
    for (const file of others) rmSync(file);
    expect(listBackups(backups)).toHaveLength(1);
    expect(
      readdirSync(join(backups, 'base')).filter((name) => name.endsWith('.draft')),
    ).toHaveLength(1);
  });

  test('if the data folder is that of another server', async () => {
    const other = createPostgresFolder();
    folders.push(other.folder);
    servers.push(await startPrivatePostgres({ folder: other.folder }));
    const options = { databaseUrl: primary.url, data: other.data, backups };
    await expect(takeBackup(options)).rejects.toThrow(/another server/);
  });
});

test('a restored server continues the archive, and is restored with its own log', async () => {
  await primary.stop();
  const second = await start({ kind: 'end' }, { archives: true });
  await replayed(second.server);
  await write(second.server, 'second');
  await archiveLog(second.server);
  const third = await start({ kind: 'end' }, { archives: true });
  await replayed(third.server);
  expect(await idsOf(third.server)).toEqual(await idsOf(second.server));
  expect(await idsOf(third.server)).toContain('second');

  // A newer backup makes the first one and its log superfluous.
  const [first] = listBackups(backups);
  const { server, data } = third;
  const newer = await takeBackup({ databaseUrl: server.url, data, backups });
  expect(deleteOldBackups(backups, 2)).toEqual([]);
  expect(deleteOldBackups(backups, 1)).toEqual([first?.name]);
  expect(listBackups(backups)).toEqual([newer]);
  expect(readdirSync(wal)).not.toContain(`${first?.startSegment}.gz`);
  expect(await findProblems(backups, newer)).toEqual([]);
});
