import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chownTo, postgresUser } from '@event-api/local-servers/postgres-user';
import pg from 'pg';

const copyScript = join(import.meta.dirname, 'copy-data.ts');

/**
 * Replaces the data folder `to` by that of a standby of the running server at `url`, whose data
 * folder is `from`. The server must keep its log from now on until the standby has read it. Errors:
 * those of PostgreSQL.
 */
export async function makeStandby(options: {
  url: string;
  from: string;
  to: string;
  primaryConninfo: string;
}): Promise<void> {
  const { from, to } = options;
  rmSync(to, { recursive: true, force: true });
  const client = new pg.Client({ connectionString: options.url, query_timeout: 30_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    // The backup ends with the session, so an interrupted one leaves nothing in the server.
    await client.query("select pg_backup_start('standby', true)");
    await promisify(execFile)(process.execPath, [copyScript, from, to]);
    const { rows } = await client.query('select labelfile as label from pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), rows[0]?.label ?? '', { mode: 0o600 });
  } finally {
    await client.end().catch(() => {});
  }
  appendFileSync(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = '${options.primaryConninfo.replaceAll("'", "''")}'\n`,
  );
  writeFileSync(join(to, 'standby.signal'), '', { mode: 0o600 });
  chmodSync(to, 0o700);
  chownTo(postgresUser().owner, to);
}
