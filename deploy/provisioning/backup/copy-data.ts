import { createHash } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BackupError } from './backup-error.ts';
import type { BackupFile } from './manifest.ts';

/** The server creates the content of these folders itself. */
const EMPTY_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Files of the running server, and of an earlier restore. */
const SKIPPED_FILES =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|.*\.tmp|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|(recovery|standby)\.signal)$/;

const CONTROL_FILE = 'global/pg_control';
const CHUNK_BYTES = 2 ** 20;
const CONTROL_READS = 20;

/**
 * Copies the data folder of a running server between pg_backup_start and pg_backup_stop. The copied
 * files are not consistent; the log that the server replays after a restore makes them so. A file
 * that disappears meanwhile belongs to a table that was dropped. With `flush`, the default, the copy
 * is on the disk at the end. Errors: if the server has tablespaces outside of its data folder.
 */
export async function copyRunning(
  from: string,
  to: string,
  { flush = true }: { flush?: boolean } = {},
): Promise<{ folders: string[]; files: BackupFile[] }> {
  const folders: string[] = [];
  const files: BackupFile[] = [];
  async function copyFolder(path: string): Promise<void> {
    await mkdir(join(to, path), { recursive: true, mode: 0o700 });
    for (const entry of await readFolder(join(from, path))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      const plan = planFor(inside, entry);
      if (plan === 'skip') continue;
      if (plan === 'copy') {
        const file = await copyFile(from, to, inside, { flush });
        if (file) files.push(file);
        continue;
      }
      folders.push(inside);
      if (plan === 'copy_folder') await copyFolder(inside);
      else await mkdir(join(to, inside), { mode: 0o700 });
    }
  }
  await copyFolder('');
  files.push(await copyControlFile(from, to));
  return { folders, files };
}

/**
 * What to do with an entry of the data folder. Errors: for a link to another folder, except that of
 * the log.
 */
export function planFor(
  path: string,
  entry: Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>,
): 'skip' | 'copy' | 'copy_folder' | 'create_folder' {
  if (EMPTY_FOLDERS.has(path)) return 'create_folder';
  // It is copied last: it says how far the other files may be.
  if (path === CONTROL_FILE || SKIPPED_FILES.test(entry.name)) return 'skip';
  if (entry.isSymbolicLink()) {
    throw new BackupError(
      `${path} is a link: tablespaces outside of the data folder are not supported`,
    );
  }
  return entry.isDirectory() ? 'copy_folder' : 'copy';
}

/** Copies one file, with `flush` to the disk. Undefined if it does not exist any more. */
export async function copyFile(
  from: string,
  to: string,
  path: string,
  { flush }: { flush: boolean },
): Promise<BackupFile | undefined> {
  const source = await open(join(from, path)).catch(unlessMissing);
  if (!source) return undefined;
  const target = await open(join(to, path), 'wx', 0o600);
  try {
    const content = await copyContent(source, target);
    if (flush) await target.sync();
    return { path, ...content };
  } finally {
    await source.close();
    await target.close();
  }
}

async function copyContent(
  source: FileHandle,
  target: FileHandle,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const part = chunk.subarray(0, bytesRead);
    hash.update(part);
    await target.writeFile(part);
    bytes += bytesRead;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The server overwrites this file as a whole, so two equal reads contain no half of a write. */
async function copyControlFile(from: string, to: string): Promise<BackupFile> {
  let earlier: Buffer | undefined;
  for (let attempt = 0; attempt < CONTROL_READS; attempt++) {
    const content = await readWhole(join(from, CONTROL_FILE));
    if (earlier?.equals(content)) {
      const target = await open(join(to, CONTROL_FILE), 'wx', 0o600);
      await target.writeFile(content);
      await target.sync();
      await target.close();
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { path: CONTROL_FILE, bytes: content.length, sha256 };
    }
    earlier = content;
    await wait(10);
  }
  throw new BackupError(`${CONTROL_FILE} changes with every read`);
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * PostgreSQL's id of the server whose data is in `data`: the first eight bytes of its control file.
 */
export async function systemIdentifierOf(data: string): Promise<string> {
  const content = await readWhole(join(data, CONTROL_FILE));
  return content.readBigUInt64LE(0).toString();
}

/** A folder of a table space or database that was dropped meanwhile is empty. */
const readFolder = async (path: string): Promise<Dirent[]> =>
  (await readdir(path, { withFileTypes: true }).catch(unlessMissing)) ?? [];

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
