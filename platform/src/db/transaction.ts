import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ControlledTransaction, Kysely, PostgresDialect } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { databaseTimeouts } from '../core/timeouts.ts';
import { isRetryable, isStalePlan } from './errors.ts';
import { type PlanMode, queryOn, type Statement } from './statement.ts';

/** A transaction on one connection, for the entity manager and for statements. */
export interface Connection {
  /** Created on its first use: most transactions run only statements. */
  readonly em: EntityManager;
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * Runs `work` in a transaction and commits. A deadlock, a serialization failure and an outdated plan cause a
 * retry, up to three attempts in all. The entity manager is a fork of `root`.
 */
export async function runTransaction<Result>(
  pool: Pool,
  root: EntityManager,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  let planMode: PlanMode = 'cached';
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let hasBegun = false;
    try {
      await client.query(begin);
      hasBegun = true;
      const context = await ormContextOf(client);
      let em: EntityManager | null = null;
      const result = await work({
        get em() {
          if (!em) {
            em = root.fork();
            em.setTransactionContext(context);
          }
          return em;
        },
        query: (statement, values) => queryOn(client, statement, values, planMode),
      });
      await (em as EntityManager | null)?.flush();
      await client.query(commit);
      client.release();
      return result;
    } catch (error) {
      client.release(isStalePlan(error) || !(hasBegun && (await canReuse(client))));
      const mayRetry = attempt < databaseTimeouts.transactionAttempts;
      if (!mayRetry || !(isRetryable(error) || isStalePlan(error))) throw error;
      if (isStalePlan(error)) planMode = 'unprepared';
      await delay(Math.random() * databaseTimeouts.transactionRetryMaxPauseMs * attempt);
    }
  }
}

const begin = 'begin';
const commit = 'commit';

/** Rolls back. Returns false if the connection is lost; the server then rolls back by itself. */
async function canReuse(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}

type OrmContext = ControlledTransaction<unknown>;

/** The transaction context of the ORM on each connection of the pool. It lives as long as the connection. */
const ormContexts = new WeakMap<PoolClient, Promise<OrmContext>>();

/**
 * The connection in the form that the ORM accepts as its transaction context. It only runs statements on the
 * connection: `runTransaction` begins and ends the transactions, so the context serves all of them.
 */
function ormContextOf(client: PoolClient): Promise<OrmContext> {
  let context = ormContexts.get(client);
  if (!context) {
    const query = client.query.bind(client) as (sql: unknown, ...rest: unknown[]) => unknown;
    const borrowed = {
      query: (sql: unknown, ...rest: unknown[]) =>
        sql === begin ? Promise.resolve({ rows: [] }) : query(sql, ...rest),
      release: () => {},
    };
    const pool = { connect: async () => borrowed, end: async () => {}, options: {} };
    const builder = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) });
    context = builder.startTransaction().execute();
    ormContexts.set(client, context);
  }
  return context;
}
