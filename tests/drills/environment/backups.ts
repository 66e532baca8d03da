import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chownTo, postgresUser } from '@event-api/local-servers/postgres-user';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { eventually } from '@event-api/platform/testing/eventually';
import { archiveSettings } from '@event-api/provisioning/backup/archive';
import { type RestoreTarget, restoreBackup } from '@event-api/provisioning/backup/restore';
import { takeBackup } from '@event-api/provisioning/backup/take';
import type { Query } from '../history/contradictions.ts';
import type { PostgresServer } from './layout.ts';

/**
 * Backups and archived logs of all PostgreSQL servers, in a folder that no fault touches, as those
 * of a deployment are in another place. They are those of deploy/provisioning/backup.
 */
export interface Backups {
  /** The log is archived at least this often. */
  intervalMs: number;
  /** Lets a server archive its log. Other programs stay as they are. */
  archiving(spec: ChildSpec): ChildSpec;
  take(server: BackedUpServer): Promise<void>;
  /** Replaces the data of a server that is stopped. Errors: BackupError, and nothing is changed. */
  restore(server: PostgresServer, target: RestoreTarget): Promise<void>;
  remove(): void;
}

/** A server with the address and the SQL of its superuser. */
export interface BackedUpServer extends PostgresServer {
  url: string;
  sql: Query;
}

/** `intervalSeconds` is by default that of every deployment. */
export function createBackups(programs: readonly string[], intervalSeconds?: number): Backups {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-elsewhere-'));
  const { owner } = postgresUser();
  const backupsOf = (program: string) => join(folder, program);
  const settingsOf = (program: string): Record<string, string> => ({
    ...archiveSettings(backupsOf(program)),
    ...(intervalSeconds !== undefined && { archive_timeout: String(intervalSeconds) }),
  });
  for (const program of programs)
    mkdirSync(join(backupsOf(program), 'wal'), { recursive: true, mode: 0o700 });
  chownTo(owner, folder);
  const [first = ''] = programs;
  return {
    intervalMs: Number(settingsOf(first).archive_timeout) * 1000,
    archiving(spec) {
      if (!programs.includes(spec.name)) return spec;
      const flags = Object.entries(settingsOf(spec.name)).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]);
      return { ...spec, command: [...spec.command, ...flags] };
    },
    async take({ program, data, url }) {
      await takeBackup({ databaseUrl: url, data, backups: backupsOf(program) });
    },
    async restore({ program, data }, target) {
      rmSync(data, { recursive: true, force: true });
      await restoreBackup({ backups: backupsOf(program), data, target });
      chownTo(owner, data);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Waits until a restored server has read its log and accepts writes. */
export const replayed = ({ sql }: BackedUpServer): Promise<void> =>
  eventually(async () => {
    const [row] = await sql<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
    if (row?.recovering !== false) throw new Error('the log is still being read');
  });
