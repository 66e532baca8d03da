import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { archivedNames, archivedTimelines, baseFolder } from './archive.ts';
import { missingSegments, parseSegment, type Segment } from './wal.ts';

/** A file of a backup; `path` is relative to the data folder. */
export interface BackupFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** What a complete backup consists of. It is written last. */
export interface BackupManifest {
  /** The name of its folder: when it began, in UTC. */
  name: string;
  startedAt: string;
  /** A restore reaches any time from here on. */
  finishedAt: string;
  /** PostgreSQL's id of the server. */
  systemIdentifier: string;
  serverVersion: string;
  /** The first and the last segment that make the copied files consistent. */
  startSegment: string;
  stopSegment: string;
  segmentBytes: number;
  folders: string[];
  files: BackupFile[];
}

/** Why a backup cannot be restored. */
export interface BackupProblem {
  kind: 'file_missing' | 'file_changed' | 'segment_missing';
  /** Of the file in the data folder, or of the segment. */
  name: string;
}

export const manifestFile = (folder: string): string => join(folder, 'backup.json');

/** The folder with the copied files of a backup. */
export const dataFolder = (folder: string): string => join(folder, 'data');

/** A backup that was interrupted has this suffix and no manifest. */
export const DRAFT = '.draft';

export const isDraft = (name: string): boolean => name.endsWith(DRAFT);

/** The complete backups, oldest first. */
export function listBackups(backups: string): BackupManifest[] {
  const base = baseFolder(backups);
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .filter((name) => !isDraft(name) && existsSync(manifestFile(join(base, name))))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(manifestFile(join(base, name)), 'utf8')));
}

/** The segment with this name. Errors: if it is no name of a segment. */
export function segmentOf(name: string, segmentBytes: number): Segment {
  const segment = parseSegment(name, segmentBytes);
  if (!segment) throw new Error(`${name} is no segment of the log`);
  return segment;
}

/**
 * Reads every file of a backup, and finds what is missing from it and from the archived log up to
 * its end.
 */
export async function findProblems(
  backups: string,
  manifest: BackupManifest,
  timeline?: number,
): Promise<BackupProblem[]> {
  const folder = dataFolder(join(baseFolder(backups), manifest.name));
  const problems: BackupProblem[] = [];
  for (const file of manifest.files) {
    const kind = await problemOf(join(folder, file.path), file);
    if (kind) problems.push({ kind, name: file.path });
  }
  const { segmentBytes, startSegment, stopSegment } = manifest;
  const missing = missingSegments({
    start: segmentOf(startSegment, segmentBytes),
    stop: segmentOf(stopSegment, segmentBytes),
    archived: archivedNames(backups),
    timelines: archivedTimelines(backups, timeline, segmentBytes),
    segmentBytes,
  });
  return [...problems, ...missing.map((name) => ({ kind: 'segment_missing' as const, name }))];
}

async function problemOf(
  path: string,
  file: BackupFile,
): Promise<BackupProblem['kind'] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 'file_missing';
  if (found.size !== file.bytes) return 'file_changed';
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === file.sha256 ? undefined : 'file_changed';
}

const wording: Record<BackupProblem['kind'], (name: string) => string> = {
  file_missing: (path) => `the file ${path} is missing`,
  file_changed: (path) => `the file ${path} has changed`,
  segment_missing: (name) => `the segment ${name} is not in the archived log`,
};

/** One line for each problem, the first ten. */
export function describeProblems(problems: readonly BackupProblem[]): string {
  const lines = problems.slice(0, 10).map(({ kind, name }) => `  ${wording[kind](name)}`);
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}
