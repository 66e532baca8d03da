import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { archivedNames, baseFolder, deleteArchived } from './archive.ts';
import { listBackups, manifestFile, segmentOf } from './manifest.ts';
import { obsoleteSegments } from './wal.ts';

/**
 * Deletes all backups but the newest `keep`, and the log before them. Returns the names of the
 * deleted backups.
 */
export function deleteOldBackups(backups: string, keep: number): string[] {
  const all = listBackups(backups);
  const [oldest] = all.slice(-keep);
  const old = all.slice(0, -keep);
  if (!oldest || old.length === 0) return [];
  for (const { name } of old) {
    const folder = join(baseFolder(backups), name);
    // Without its manifest an interrupted deletion is no complete backup.
    rmSync(manifestFile(folder));
    rmSync(folder, { recursive: true, force: true });
  }
  const { startSegment, segmentBytes } = oldest;
  const start = segmentOf(startSegment, segmentBytes);
  deleteArchived(backups, obsoleteSegments(archivedNames(backups), start, segmentBytes));
  return old.map(({ name }) => name);
}
