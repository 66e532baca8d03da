import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateDirectory, readTextFile } from '@event-api/provisioning/secret-files';

/** Another process runs the platform on this folder. The message is shown at the terminal. */
export class DataDirInUseError extends Error {}

/**
 * Locks `dataDir` for this process and returns the function that unlocks it. The lock of a process
 * that was killed is replaced. Errors: DataDirInUseError when the process that holds the lock is
 * running.
 */
export function lockDataDir(dataDir: string): () => void {
  createPrivateDirectory(dataDir);
  const lock = join(dataDir, 'lock');
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startTimeOf(process.pid)}`, { mode: 0o600 });
  try {
    // A hard link is created atomically: a lock file always names its holder.
    for (let attempt = 0; attempt < 20; attempt++) {
      if (tryLink(own, lock)) return () => rmSync(lock, { force: true });
      removeIfStale(lock, dataDir);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new DataDirInUseError(`failed to lock ${dataDir}`);
}

function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeIfStale(lock: string, dataDir: string): void {
  const holder = readTextFile(lock);
  if (holder === undefined) return;
  const [pid = '', startTime = ''] = holder.split(' ');
  if (isAlive(Number(pid)) && startTimeOf(Number(pid)) === startTime) {
    throw new DataDirInUseError(
      `the platform already runs on ${dataDir} (process ${pid}). Stop it first, or choose another folder: DATA_DIR=... PORT=... npm start`,
    );
  }
  // The file is renamed before it is removed. If another process replaced the stale lock meanwhile,
  // its lock is restored.
  const moved = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, moved);
    if (readFileSync(moved, 'utf8') !== holder) tryLink(moved, lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Start time of a process, which differs from that of a later process with the same id. Empty
 * without /proc.
 */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the command in parentheses, can contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
