import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ControlledTransaction, Kysely, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import { sqlState } from '../core/error-reason.ts';
import { databaseTimeouts } from '../core/timeouts.ts';
import { isRetryable, isStalePlan } from './errors.ts';
import { type PlanMode, queryOn, type Statement } from './statement.ts';
import type { TrustedPool } from './trusted-pool.ts';

/** A transaction on one connection, for the entity manager and for statements. */
export interface Connection {
  /** Created on its first use: most transactions run only statements. */
  readonly em: EntityManager;
  /**
   * Runs a statement. Statements started without awaiting each other are sent together and run in
   * the order of the calls; after a failed one the following fail, too.
   */
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Sends a statement whose rows are needed only after the commit, which is sent behind it without
   * waiting. If the statement fails, the transaction is rolled back and fails with its error.
   */
  send<Row>(
    statement: Statement<Row>,
    values: readonly unknown[],
    onRows: (rows: Row[]) => void,
  ): void;
}

/**
 * Runs `work` in a transaction and commits. A deadlock, a serialization failure and an outdated
 * plan cause a retry, up to three attempts in all. The entity manager is a fork of `root`.
 *
 * Connections are in pipeline mode: `begin` is sent together with the first statement.
 */
export async function runTransaction<Result>(
  pool: TrustedPool,
  root: EntityManager,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  let planMode: PlanMode = 'cached';
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    // It fails only with the connection, and the first statement then fails with the same error.
    client.query(begin).catch(() => {});
    let firstFailure: unknown;
    let hasEnded = false;
    const sent: Promise<void>[] = [];
    const query: Connection['query'] = async (statement, values) => {
      // Part of the work may go on after another part has failed. Its statements would commit by
      // themselves.
      if (hasEnded) throw new Error('the transaction has ended');
      return queryOn(client, statement, values, planMode).catch((error: unknown) => {
        firstFailure ??= error;
        throw error;
      });
    };
    try {
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
        query,
        send(statement, values, onRows) {
          const done = query(statement, values).then(onRows);
          // The commit reports the error.
          done.catch(() => {});
          sent.push(done);
        },
      });
      await (em as EntityManager | null)?.flush();
      hasEnded = true;
      // After a failed statement the server rolls back instead of committing, and that statement's
      // error is thrown.
      await Promise.all([...sent, client.query(commit)]);
      client.release();
      return result;
    } catch (thrown) {
      hasEnded = true;
      const error = (sqlState(thrown) === failedTransaction && firstFailure) || thrown;
      client.release(isStalePlan(error) || !(await canReuse(client)));
      const mayRetry = attempt < databaseTimeouts.transactionAttempts;
      if (!mayRetry || !(isRetryable(error) || isStalePlan(error))) throw error;
      if (isStalePlan(error)) planMode = 'unprepared';
      await delay(Math.random() * databaseTimeouts.transactionRetryMaxPauseMs * attempt);
    }
  }
}

const begin = 'begin';
const commit = 'commit';

/** `in_failed_sql_transaction`: an earlier statement has failed. */
const failedTransaction = '25P02';

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

/**
 * The transaction context of the ORM on each connection of the pool. It lives as long as the
 * connection.
 */
const ormContexts = new WeakMap<PoolClient, Promise<OrmContext>>();

/**
 * The connection in the form that the ORM accepts as its transaction context. It only runs
 * statements on the connection: `runTransaction` begins and ends the transactions, so the context
 * serves all of them.
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
