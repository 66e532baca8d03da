import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { BackupError } from './backup-error.ts';
import { describeProblems, findProblems, listBackups } from './manifest.ts';
import { deleteOldBackups } from './prune.ts';
import { type RestoreTarget, restoreBackup } from './restore.ts';
import { newestOf, parseTimeOfDay, serveStatus, takeDaily } from './schedule.ts';
import { takeBackup } from './take.ts';

const USAGE = `Backups of a PostgreSQL server that archives its log.

  take      --backups <folder> --data <folder> [--keep <number>]
            copies the running server, then deletes all backups but the newest <number> (7)
  schedule  --backups <folder> --data <folder> [--keep <number>] [--at <time>] [--port <number>]
            takes a backup each day at <time> in UTC (02:30), and at once if one was missed; /metrics and /readyz on
            <number> (9090) show the newest one
  list      --backups <folder>
  check     --backups <folder>
            reads every backup and finds missing files and missing parts of the log
  restore   --backups <folder> --data <folder> [--to <time>] [--name <backup>] [--timeline <number>] [--replace]
            writes the data folder; the server reads the log when it starts, to its end or to <time>
  standby   --backups <folder> --data <folder> --primary <connection>
            writes the data folder of a standby

take and schedule connect as a superuser with PROVISION_DATABASE_URL.
`;

const OPTIONS = {
  backups: { type: 'string' },
  data: { type: 'string' },
  keep: { type: 'string', default: '7' },
  at: { type: 'string', default: '02:30' },
  port: { type: 'string', default: '9090' },
  to: { type: 'string' },
  name: { type: 'string' },
  timeline: { type: 'string' },
  primary: { type: 'string' },
  replace: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const commands: Record<string, (values: Values) => Promise<string>> = {
  take: (values) => taking(values)(),
  async schedule(values) {
    const timeOfDayMs = parseTimeOfDay(values.at);
    if (timeOfDayMs === undefined) throw new BackupError('--at must be a time such as 02:30');
    const backups = required(values, 'backups');
    const newest = () => newestOf(listBackups(backups));
    // A process with PID 1 is not ended by a signal that it does not handle.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit());
    const server = serveStatus(positiveInteger('port', values.port), newest);
    await once(server, 'listening');
    return takeDaily({
      timeOfDayMs,
      newest,
      take: taking(values),
      report: (line) => console.log(line),
      fail: printError,
    });
  },
  async list(values) {
    const lines = listBackups(required(values, 'backups')).map(({ name, finishedAt, files }) => {
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      return `${name}  restores to ${finishedAt} and later  ${Math.ceil(bytes / 1e6)} MB`;
    });
    return lines.join('\n') || 'no complete backup';
  },
  async check(values) {
    const backups = required(values, 'backups');
    const all = listBackups(backups);
    if (all.length === 0) throw new BackupError('there is no complete backup');
    for (const backup of all) {
      const problems = await findProblems(backups, backup);
      if (problems.length > 0) {
        throw new BackupError(
          `backup ${backup.name} cannot be restored:\n${describeProblems(problems)}`,
        );
      }
    }
    return `${all.length} backups and their log are complete`;
  },
  restore: (values) => restore(values, targetOf(values.to)),
  standby: (values) =>
    restore(values, { kind: 'standby', connection: required(values, 'primary') }),
};

/** Takes a backup and deletes old ones with each call. Errors: a value is missing. */
function taking(values: Values): () => Promise<string> {
  const [backups, data] = [required(values, 'backups'), required(values, 'data')];
  const keep = positiveInteger('keep', values.keep);
  const databaseUrl = process.env.PROVISION_DATABASE_URL;
  if (!databaseUrl) throw new BackupError('PROVISION_DATABASE_URL is missing');
  return async () => {
    const { name } = await takeBackup({ databaseUrl, backups, data });
    const deleted = deleteOldBackups(backups, keep);
    return [`backup ${name} is complete`, ...deleted.map((old) => `deleted ${old}`)].join('\n');
  };
}

async function restore(values: Values, target: RestoreTarget): Promise<string> {
  const { name, timeline, replace } = values;
  const { backup, replaced } = await restoreBackup({
    backups: required(values, 'backups'),
    data: required(values, 'data'),
    target,
    replace,
    ...(name !== undefined && { name }),
    ...(timeline !== undefined && { timeline: positiveInteger('timeline', timeline) }),
  });
  return [
    `restored the files of backup ${backup.name}; the server reads the log when it starts`,
    ...(replaced ? [`the previous data is in ${replaced}`] : []),
  ].join('\n');
}

function targetOf(to: string | undefined): RestoreTarget {
  if (to === undefined) return { kind: 'end' };
  // Without an offset the time would be that of this machine.
  if (!/(Z|[+-]\d\d:\d\d)$/.test(to) || Number.isNaN(Date.parse(to))) {
    throw new BackupError(`${to} is no time with an offset, such as 2026-11-22T18:30:00Z`);
  }
  return { kind: 'time', time: new Date(to) };
}

function required(values: Values, name: 'backups' | 'data' | 'primary'): string {
  const value = values[name];
  if (!value) throw new BackupError(`--${name} is missing`);
  return value;
}

function positiveInteger(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new BackupError(`--${name} must be a positive integer`);
  return Number(text);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const command = commands[positionals[0] ?? ''];
  if (!command || positionals.length > 1) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  console.log(await command(values));
}

function printError(error: unknown): void {
  const isForOperators = error instanceof BackupError || error instanceof TypeError;
  console.error(isForOperators ? error.message : error);
}

await main().catch((error: unknown) => {
  printError(error);
  process.exitCode = 1;
});
