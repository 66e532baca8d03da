import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Options } from '@mikro-orm/postgresql';
import type { Logger } from '../core/log.ts';
import { reportRepeated } from '../core/repeated-failures.ts';
import { databaseTimeouts } from '../core/timeouts.ts';
import type { Database } from '../db/database.ts';
import {
  appliedMigrationsSql,
  migrationNames,
  pendingMigrations,
} from '../db/pending-migrations.ts';
import { statementOfSchema } from '../db/statement.ts';

const applied = statementOfSchema<{ name: string }>('migrations_applied', appliedMigrationsSql);

/** The schema lacks migrations of this release. */
class SchemaIsOlderError extends Error {
  readonly missing: readonly string[];
  constructor(missing: readonly string[]) {
    super(`the schema is older than this release, it lacks ${missing.join(', ')}`);
    this.missing = missing;
  }
}

/**
 * Waits until the schema has all migrations of this release, so that no code of it runs on an older
 * schema: a release may start its processes together with its migration. Meanwhile `/healthz` of
 * the internal port responds with 200, `/readyz` with 503 and the missing migrations, and the log
 * names them.
 *
 * An unavailable database does not stop the start: the process runs and responds with 503. Returns
 * the check of its readiness, which throws until the schema is known to have the migrations.
 * Errors: AbortError when `stopping` is aborted during the wait; a port that is in use.
 */
export async function awaitSchema(options: {
  orm: Pick<Options, 'schema' | 'migrations'>;
  db: Database;
  log: Logger;
  host: string;
  internalPort: number;
  stopping: AbortSignal;
}): Promise<() => Promise<void>> {
  const { orm, db, log, stopping } = options;
  const report = reportRepeated((error, suppressed) =>
    log.warn(
      { missing: (error as SchemaIsOlderError).missing, suppressed },
      'waiting for the migrations of this release',
    ),
  );
  const { schema = '', migrations } = orm;
  const names = await migrationNames(migrations?.path ?? '');
  const check = async () => {
    const missing = await pendingMigrations(names, () => db.query(applied(schema)));
    if (missing.length === 0) return;
    const older = new SchemaIsOlderError(missing);
    report(older);
    throw older;
  };

  let problem = await problemOf(check);
  if (!(problem instanceof SchemaIsOlderError)) return check;
  const server = await serveWhileWaiting(options, () => problem);
  try {
    while (problem !== null) {
      await delay(databaseTimeouts.checkIntervalMs, undefined, { signal: stopping });
      problem = await problemOf(check);
    }
  } finally {
    await close(server);
  }
  log.info('the schema has the migrations of this release');
  return check;
}

const problemOf = (check: () => Promise<void>): Promise<unknown> =>
  check().then(
    () => null,
    (error: unknown) => error,
  );

async function serveWhileWaiting(
  { host, internalPort }: { host: string; internalPort: number },
  problem: () => unknown,
): Promise<Server> {
  const server = createServer((request, response) => {
    const respond = (code: number, body: object) =>
      response
        .writeHead(code, { 'content-type': 'application/json', connection: 'close' })
        .end(JSON.stringify(body));
    if (request.url === '/healthz') return respond(200, { status: 'ok' });
    const found = problem();
    const missing = found instanceof SchemaIsOlderError ? found.missing : [];
    respond(503, { status: 'not ready', missingMigrations: missing });
  });
  server.listen(internalPort, host);
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
