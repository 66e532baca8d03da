import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { baseFolder, walFolder } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { copyRunning, systemIdentifierOf } from './copy-data.ts';
import {
  type BackupFile,
  type BackupManifest,
  DRAFT,
  dataFolder,
  isDraft,
  manifestFile,
} from './manifest.ts';

/** Key of the advisory lock; arbitrary, but the same in every version. */
const LOCK = 4_027_181_534;
const ARCHIVE_TIMEOUT_MS = 600_000;

/** What decides whether a backup can begin. */
export interface ServerFacts {
  archiveMode: string;
  inRecovery: boolean;
  locked: boolean;
  /** Of the server, and of the files in the data folder. */
  systemIdentifiers: readonly [server: string, files: string];
}

/** Why no backup can begin; undefined if it can. */
export function reasonAgainst(facts: ServerFacts): string | undefined {
  const [server, files] = facts.systemIdentifiers;
  if (!facts.locked) return 'another backup of this server is running';
  if (facts.inRecovery) return 'the server is a standby: take the backup on the primary';
  if (facts.archiveMode !== 'on')
    return 'archive_mode is off: without the log the backup is useless';
  if (server !== files) return 'the data folder belongs to another server';
  return undefined;
}

/**
 * Takes a backup of a running server into `backups`: a copy of the folder `data` with the log that
 * makes it consistent. Writes continue. The backup has a manifest and its final name only when it
 * is complete. `databaseUrl` belongs to a superuser. Errors: BackupError if the server cannot be
 * backed up, or does not archive its log within ten minutes.
 */
export async function takeBackup(options: {
  databaseUrl: string;
  data: string;
  backups: string;
  archiveTimeoutMs?: number;
}): Promise<BackupManifest> {
  const { data, backups } = options;
  const client = new Client({ connectionString: options.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { now: startedAt, ...facts } = await readFacts(client, data);
    const reason = reasonAgainst(facts);
    if (reason) throw new BackupError(reason);
    prepareFolders(backups);
    const name = startedAt.toISOString().replaceAll(':', '-');
    const draft = join(baseFolder(backups), `${name}${DRAFT}`);
    // The backup ends with the session, so an interrupted one leaves nothing in the server.
    await client.query('select pg_backup_start($1, true)', [name]);
    const copied = await copyRunning(data, dataFolder(draft));
    const end = await endBackup(client, options.archiveTimeoutMs ?? ARCHIVE_TIMEOUT_MS);
    const label = writeLabel(dataFolder(draft), end.label);
    const manifest: BackupManifest = {
      name,
      startedAt: startedAt.toISOString(),
      finishedAt: end.finishedAt.toISOString(),
      systemIdentifier: await systemIdentifierOf(data),
      serverVersion: end.serverVersion,
      startSegment: /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)$/m.exec(end.label)?.[1] ?? '',
      stopSegment: end.stopSegment,
      segmentBytes: Number(end.segmentBytes),
      folders: copied.folders,
      files: [...copied.files, label],
    };
    writeFileSync(manifestFile(draft), JSON.stringify(manifest), { mode: 0o600, flush: true });
    renameSync(draft, join(baseFolder(backups), name));
    return manifest;
  } finally {
    await client.end();
  }
}

async function readFacts(client: Client, data: string): Promise<ServerFacts & { now: Date }> {
  type Row = Omit<ServerFacts, 'systemIdentifiers'> & { id: string; now: Date };
  const { rows } = await client.query<Row>(
    `select clock_timestamp() as now, current_setting('archive_mode') as "archiveMode", pg_is_in_recovery() as "inRecovery",
      pg_try_advisory_lock(${LOCK}) as locked, system_identifier::text as id from pg_control_system()`,
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL returned no row');
  const { id, ...facts } = row;
  return { ...facts, systemIdentifiers: [id, await systemIdentifierOf(data)] };
}

/** Removes interrupted backups: the lock says that no other backup is running. */
function prepareFolders(backups: string): void {
  mkdirSync(walFolder(backups), { recursive: true, mode: 0o700 });
  mkdirSync(baseFolder(backups), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(baseFolder(backups)).filter(isDraft)) {
    rmSync(join(baseFolder(backups), name), { recursive: true, force: true });
  }
}

/**
 * Without this file a restored server would start from its newest checkpoint, and lack pages of the
 * copied files.
 */
function writeLabel(folder: string, content: string): BackupFile {
  writeFileSync(join(folder, 'backup_label'), content, { mode: 0o600, flush: true });
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path: 'backup_label', bytes: Buffer.byteLength(content), sha256 };
}

/** Ends the backup in the server and waits until the log that it needs is in the archive. */
async function endBackup(client: Client, archiveTimeoutMs: number) {
  await client.query(`set statement_timeout = ${archiveTimeoutMs}`);
  try {
    const { rows } = await client.query<{
      label: string;
      stopSegment: string;
      segmentBytes: string;
      serverVersion: string;
      finishedAt: Date;
    }>(`select labelfile as label, pg_walfile_name(lsn) as "stopSegment",
      (select setting from pg_settings where name = 'wal_segment_size') as "segmentBytes",
      current_setting('server_version') as "serverVersion", clock_timestamp() as "finishedAt"
      from pg_backup_stop(true)`);
    const [row] = rows;
    if (!row) throw new Error('PostgreSQL returned no row');
    return row;
  } catch (error) {
    if ((error as { code?: string }).code !== '57014') throw error;
    throw new BackupError(
      `the server has not archived its log within ${archiveTimeoutMs / 1000} s: see pg_stat_archiver and the server's log`,
    );
  }
}
