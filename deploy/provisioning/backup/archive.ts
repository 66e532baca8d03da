import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { historyName, parseHistory, type TimelineStart } from './wal.ts';

/**
 * The folder of complete backups. PostgreSQL archives its log from the moment that this folder
 * exists.
 */
export const baseFolder = (backups: string): string => join(backups, 'base');

/** The folder of the archived log. */
export const walFolder = (backups: string): string => join(backups, 'wal');

/**
 * The settings with which a server archives its log below `backups`, compressed. A minute without a
 * full segment ends the segment, so a lost disk loses at most the last minute. Before the first
 * backup nothing is stored: no restore needs it. A segment that is archived twice must be the same,
 * because two servers must not share an archive.
 */
export function archiveSettings(backups: string): Record<string, string> {
  const file = `${quotable(walFolder(backups))}/%f.gz`;
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: [
      `test -d "${quotable(baseFolder(backups))}" || exit 0;`,
      `if test -f "${file}"; then gzip -dc "${file}" | cmp -s - "%p";`,
      `else gzip -c "%p" > "${file}.part" && sync "${file}.part" && mv "${file}.part" "${file}"; fi`,
    ].join(' '),
  };
}

/** The command with which a restored server reads the archived log. */
export function restoreCommand(backups: string): string {
  const file = `${quotable(walFolder(backups))}/%f.gz`;
  return `test -f "${file}" && gzip -dc "${file}" > "%p"`;
}

/** The shell and PostgreSQL's settings give these characters no other meaning. */
function quotable(path: string): string {
  if (!/^[\w./ -]+$/.test(path)) {
    throw new BackupError(
      `the path ${path} contains characters other than letters, digits and . / - _`,
    );
  }
  return path;
}

/** The names of the archived files, without the suffix of the compression. */
export function archivedNames(backups: string): string[] {
  return readFolder(walFolder(backups)).flatMap((file) =>
    file.endsWith('.gz') ? file.slice(0, -3) : [],
  );
}

/** Where each timeline begins on the way to the newest archived one, or to `timeline`. */
export function archivedTimelines(
  backups: string,
  timeline: number | undefined,
  segmentBytes: number,
): TimelineStart[] {
  const newest = Math.max(
    1,
    ...archivedNames(backups).flatMap((name) =>
      /^[0-9A-F]{8}\.history$/.test(name) ? Number.parseInt(name.slice(0, 8), 16) : [],
    ),
  );
  const wanted = timeline ?? newest;
  // The first timeline has no history.
  if (wanted === 1) return [{ timeline: 1, first: 0 }];
  const file = join(walFolder(backups), `${historyName(wanted)}.gz`);
  try {
    return parseHistory(wanted, gunzipSync(readFileSync(file)).toString(), segmentBytes);
  } catch {
    throw new BackupError(`the history of timeline ${wanted} is not in the archive`);
  }
}

export function deleteArchived(backups: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(walFolder(backups), `${name}.gz`), { force: true });
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
