import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ControlledTransaction, Kysely, PostgresDialect } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { databaseTimeouts } from '../core/timeouts.ts';
import { isRetryable, isStalePlan } from './errors.ts';
import { type PlanMode, queryOn, type Statement } from './statement.ts';

/** A transaction on one connection, for the entity manager and for statements. */
export interface Connection {
  em: EntityManager;
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
    let transaction: Transaction | null = null;
    try {
      transaction = await beginOn(client);
      const em = root.fork();
      em.setTransactionContext(transaction);
      const result = await work({
        em,
        query: (statement, values) => queryOn(client, statement, values, planMode),
      });
      await em.flush();
      await transaction.commit().execute();
      client.release();
      return result;
    } catch (error) {
      client.release(isStalePlan(error) || !(await canReuse(transaction)));
      const mayRetry = attempt < databaseTimeouts.transactionAttempts;
      if (!mayRetry || !(isRetryable(error) || isStalePlan(error))) throw error;
      if (isStalePlan(error)) planMode = 'unprepared';
      await delay(Math.random() * databaseTimeouts.transactionRetryMaxPauseMs * attempt);
    }
  }
}

/** Rolls back. Returns false if the connection is lost; the server then rolls back by itself. */
async function canReuse(transaction: Transaction | null): Promise<boolean> {
  try {
    await transaction?.rollback().execute();
    return transaction !== null;
  } catch {
    return false;
  }
}

type Transaction = ControlledTransaction<unknown>;

/** The query builder of the ORM on one connection of the pool. It lives as long as the connection. */
const builders = new WeakMap<PoolClient, Kysely<unknown>>();

/** Begins a transaction on this connection in the form that the ORM accepts as its transaction context. */
function beginOn(client: PoolClient): Promise<Transaction> {
  let builder = builders.get(client);
  if (!builder) {
    // `runTransaction` returns the connection to the pool, so the builder must not.
    const borrowed = { query: client.query.bind(client), release: () => {} };
    const pool = { connect: async () => borrowed, end: async () => {}, options: {} };
    builder = new Kysely({ dialect: new PostgresDialect({ pool }) });
    builders.set(client, builder);
  }
  return builder.startTransaction().execute();
}
