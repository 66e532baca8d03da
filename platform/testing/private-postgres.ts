import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { chownTo, FAST_SHUTDOWN, postgresUser } from '@event-api/local-servers/postgres-user';
import pg from 'pg';
import { createPrivateServer } from './private-server.ts';

/** A folder for a PostgreSQL server: `data` is where its data belongs. */
export function createPostgresFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-postgres-'));
  return { folder, data: join(folder, 'postgres') };
}

/** Creates `folder` and gives it to the user that runs PostgreSQL. */
export function createServerFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownTo(postgresUser().owner, folder);
}

/**
 * A PostgreSQL server of one test with these settings. Without data in `folder` it creates a new
 * one. A restored server has the passwords of the server that was backed up: `like` is that
 * server's folder. `bin` has the programs of another release.
 */
export async function startPrivatePostgres(options: {
  folder: string;
  settings?: Record<string, string>;
  like?: string;
  bin?: string;
}) {
  const { folder, settings = {}, like, bin } = options;
  if (like) copyFileSync(join(like, 'postgres.password'), join(folder, 'postgres.password'));
  const port = await freePort();
  const { url, spec } = postgresServer({ folder, port, forTests: true, ...(bin && { bin }) });
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = createPrivateServer({ ...spec, command: [...spec.command, ...flags] });
  await server.start();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  return {
    ...server,
    url,
    sql: async <Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]> =>
      (await pool.query(text, values)).rows,
    /** Ends open transactions, archives the rest of the log, and exits. */
    stop: () => server.kill(FAST_SHUTDOWN),
    async close() {
      await pool.end();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PrivatePostgres = Awaited<ReturnType<typeof startPrivatePostgres>>;
