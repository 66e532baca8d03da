import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { baseFolder, restoreCommand } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { copyFile } from './copy-data.ts';
import {
  type BackupManifest,
  DRAFT,
  dataFolder,
  describeProblems,
  findProblems,
  listBackups,
} from './manifest.ts';

const PREVIOUS = '.previous-';

/**
 * How far a restored server reads the log: to its end, to a time (then it accepts writes on a new
 * timeline), or without end, as a standby of the primary at `connection`.
 */
export type RestoreTarget =
  | { kind: 'end' }
  | { kind: 'time'; time: Date }
  | { kind: 'standby'; connection: string };

/** This setting accepts an offset, but not `Z`. */
const timestamp = (time: Date): string => time.toISOString().replace('Z', '+00');

/**
 * The newest backup that reaches `target`, or the one named `name`. Errors: BackupError if there is
 * none.
 */
export function chooseBackup(
  complete: readonly BackupManifest[],
  target: RestoreTarget,
  name?: string,
): BackupManifest {
  const reaching = complete.filter(
    ({ finishedAt }) => target.kind !== 'time' || new Date(finishedAt) <= target.time,
  );
  if (name !== undefined) {
    const named = complete.find((each) => each.name === name);
    if (!named) throw new BackupError(`there is no complete backup ${name}`);
    if (!reaching.includes(named)) {
      throw new BackupError(`backup ${name} was finished after the time of the restore`);
    }
    return named;
  }
  const newest = reaching.at(-1);
  if (newest) return newest;
  throw new BackupError(
    complete.length === 0
      ? 'there is no complete backup'
      : `the oldest backup was finished at ${complete[0]?.finishedAt}, after the time of the restore`,
  );
}

/**
 * The settings of a restored server. All of them are written each time, because a backup of a
 * restored server contains those of the earlier restore.
 */
export function recoverySettings(
  target: RestoreTarget,
  options: { restoreCommand: string; timeline?: number },
): Record<string, string> {
  return {
    restore_command: options.restoreCommand,
    recovery_target_timeline: options.timeline === undefined ? 'latest' : String(options.timeline),
    recovery_target_time: target.kind === 'time' ? timestamp(target.time) : '',
    recovery_target_action: 'promote',
    primary_conninfo: target.kind === 'standby' ? target.connection : '',
  };
}

/**
 * Writes the data folder of a server that is not running; the server replays the log when it
 * starts. Verifies the backup first, and changes nothing if a file or a part of the log is missing.
 * `replace` keeps an existing data folder under another name. Returns the restored backup and that
 * name.
 * Errors: BackupError if the backup or `data` cannot be used.
 */
export async function restoreBackup(options: {
  backups: string;
  data: string;
  target: RestoreTarget;
  name?: string;
  timeline?: number;
  replace?: boolean;
}): Promise<{ backup: BackupManifest; replaced: string | undefined }> {
  const { backups, data, target, timeline } = options;
  requireUnused(data, options.replace ?? false);
  const backup = chooseBackup(listBackups(backups), target, options.name);
  const problems = await findProblems(backups, backup, timeline);
  if (problems.length > 0) {
    throw new BackupError(
      `backup ${backup.name} cannot be restored:\n${describeProblems(problems)}`,
    );
  }
  const draft = `${data}${DRAFT}`;
  rmSync(draft, { recursive: true, force: true });
  await copyBackup(dataFolder(join(baseFolder(backups), backup.name)), draft, backup);
  const settings = recoverySettings(target, {
    restoreCommand: restoreCommand(backups),
    ...(timeline !== undefined && { timeline }),
  });
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  appendFileSync(join(draft, 'postgresql.auto.conf'), `\n${lines.join('')}`, { flush: true });
  const signal = target.kind === 'standby' ? 'standby.signal' : 'recovery.signal';
  writeFileSync(join(draft, signal), '', { mode: 0o600, flush: true });
  const replaced = moveAway(data);
  renameSync(draft, data);
  return { backup, replaced };
}

const isUsed = (data: string) => existsSync(data) && readdirSync(data).length > 0;

function requireUnused(data: string, replace: boolean): void {
  if (existsSync(join(data, 'postmaster.pid'))) {
    throw new BackupError(`the server of ${data} is running, or it crashed: stop it first`);
  }
  if (isUsed(data) && !replace) {
    throw new BackupError(`${data} is not empty: --replace keeps it under another name`);
  }
}

async function copyBackup(from: string, to: string, backup: BackupManifest): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const folder of backup.folders) await mkdir(join(to, folder), { mode: 0o700 });
  // The server flushes all its files when it starts from a backup.
  for (const { path } of backup.files) await copyFile(from, to, path, { flush: false });
}

function moveAway(data: string): string | undefined {
  if (!existsSync(data)) return undefined;
  if (!isUsed(data)) {
    rmSync(data, { recursive: true });
    return undefined;
  }
  const number = readdirSync(dirname(data)).filter((name) =>
    name.startsWith(`${basename(data)}${PREVIOUS}`),
  ).length;
  const name = `${data}${PREVIOUS}${number + 1}`;
  renameSync(data, name);
  return name;
}
