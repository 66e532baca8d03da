import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateDirectory, readTextFile } from '@event-api/provisioning/secret-files';

/** Somebody else runs the platform on this folder. The message is meant for the person at the terminal. */
export class DataDirInUseError extends Error {}

/** Takes `dataDir` for this process and answers the function that gives it back.
 *  A lock whose holder is dead (killed, power cut) is taken over.
 *  Errors: DataDirInUseError when the holder is alive. */
export function lockDataDir(dataDir: string): () => void {
  createPrivateDirectory(dataDir);
  const lock = join(dataDir, 'lock');
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startTimeOf(process.pid)}`, { mode: 0o600 });
  try {
    // A hard link appears whole or not at all, so that nobody ever reads a lock without its holder.
    for (let attempt = 0; attempt < 20; attempt++) {
      if (tryLink(own, lock)) return () => rmSync(lock, { force: true });
      removeIfStale(lock, dataDir);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new DataDirInUseError(`${dataDir} could not be locked`);
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
      `the platform already runs on ${dataDir} (process ${pid}). Stop it first, or give this one another folder: DATA_DIR=... PORT=... npm start`,
    );
  }
  // Moved away before it is removed: if somebody replaced the stale lock meanwhile, theirs is put back.
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

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Tells a process from a later one with the same id; '' where the system has no /proc. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the command in parentheses, may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
