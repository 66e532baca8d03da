import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { databaseTimeouts } from '../core/timeouts.ts';
import { ServiceClient } from './client.ts';
import { isCommitUnknown, isLostConnection, isStalePlan, isUnresponsive } from './errors.ts';
import { clientKeepAlive, sessionKeepAlive, sessionOptions } from './keep-alive.ts';
import { type PlanMode, queryOn, type Statement, statement } from './statement.ts';
import { type Connection, runTransaction } from './transaction.ts';
import { createTrustedPool, type TrustedPool } from './trusted-pool.ts';

/** Runs statements, inside or outside a transaction. */
export interface Db {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

declare const inTransaction: unique symbol;

/** One transaction on one connection. Statements and the entity manager share it. */
export interface Tx extends Connection, Db {
  /** The schema of the service. */
  readonly schema: string;
  /** Called when the work is done, to send the last statements. */
  readonly beforeCommit: (() => void)[];
  /** Passed to the commit hook once the transaction has committed. */
  readonly afterCommit: unknown[];
  readonly [inTransaction]: true;
}

export interface Database extends Db {
  /**
   * Runs `work` in a transaction that commits when it resolves. `work` may run up to three times:
   * after a deadlock or a serialization failure it is retried. It must not have effects outside the
   * database.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Sets the hook that runs after each commit with items in `afterCommit`; `transaction` awaits it.
   */
  onCommit(hook: CommitHook): void;
  /** Runs this hook for a command that is a single statement outside of a transaction. */
  committed(items: readonly unknown[]): Promise<void>;
  /**
   * Calls `listener` whenever the server or the network ends a connection, or the server does not
   * respond on one, and before the first use of a connection that was opened while there was no
   * other: the server may have ended unnoticed.
   */
  onConnectionLost(listener: () => void): void;
  /** The current number of connections, and of requests that wait for one. */
  pool(): { used: number; idle: number; waiting: number };
  /** Resolves when the database responds. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Receives the contents of `afterCommit`. It must not throw: the transaction has committed. */
export type CommitHook = (items: readonly unknown[]) => Promise<void>;

/**
 * Opens the schema of a service. It does not connect yet: an unavailable database causes 503s, not
 * a failed start.
 */
export async function openDatabase(options: Options, poolMax: number): Promise<Database> {
  const orm = await MikroORM.init({
    ...options,
    connect: false,
    // MikroORM would connect immediately and create a missing database.
    ensureDatabase: false,
    pool: { min: 0, max: poolMax, idleTimeoutMillis: databaseTimeouts.idleConnectionMs },
    driverOptions: {
      ...options.driverOptions,
      ...connectionOptions,
      // Identifies the service in the list of connections of the server.
      application_name: options.schema,
    },
  } as Options);
  const pool = await orm.em.getConnection().getNativeClient();
  const trusted = createTrustedPool(pool);
  const lostListeners: (() => void)[] = [];
  const notifyLost = () => {
    for (const listener of lostListeners) listener();
  };
  const noticeLost = (error: unknown): never => {
    if (isUnresponsive(error)) trusted.distrust();
    if (isCommitUnknown(error)) notifyLost();
    throw error;
  };
  let hasConnected = false;
  pool.on('connect', (client) => {
    client.on('error', notifyLost);
    if (hasConnected && pool.totalCount === 1) notifyLost();
    hasConnected = true;
  });
  const schema = options.schema ?? 'public';
  let commitHook: CommitHook = async () => {};
  return {
    query: (statement, values) => queryOnPool(trusted, statement, values).catch(noticeLost),
    async transaction(work) {
      const { result, afterCommit } = await runTransaction(trusted, orm.em, async (connection) => {
        const items: unknown[] = [];
        // A copy would create the entity manager.
        const beforeCommit: (() => void)[] = [];
        const parts = { schema, beforeCommit, afterCommit: items };
        const tx = Object.assign(connection, parts) as Connection as Tx;
        const result = await work(tx);
        for (const send of beforeCommit) send();
        return { result, afterCommit: items };
      }).catch(noticeLost);
      if (afterCommit.length > 0) await commitHook(afterCommit);
      return result;
    },
    onCommit(hook) {
      commitHook = hook;
    },
    committed: (items) => commitHook(items),
    onConnectionLost(listener) {
      lostListeners.push(listener);
    },
    pool: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    ping: async () => void (await queryOnPool(trusted, pingStatement).catch(noticeLost)),
    close: () => orm.close(true),
  };
}

/**
 * Every statement finds few rows by an index, also in each step of a join. A plan is made once per
 * connection, often while the table is small, and would otherwise read the whole table after it has
 * grown. One plan serves all lengths of an array: the server would plan a short batch again at
 * every execution. Source: ADR 0013.
 */
export const plannerSettings = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'plan_cache_mode=force_generic_plan',
];

const connectionOptions = {
  Client: ServiceClient,
  // Statements that do not depend on each other's results share a round trip.
  pipeline: true,
  connectionTimeoutMillis: databaseTimeouts.connectMs,
  statement_timeout: databaseTimeouts.statementMs,
  query_timeout: databaseTimeouts.queryMs,
  lock_timeout: databaseTimeouts.lockMs,
  idle_in_transaction_session_timeout: databaseTimeouts.idleInTransactionMs,
  ...clientKeepAlive,
  options: sessionOptions([...plannerSettings, ...sessionKeepAlive]),
};

const pingStatement = statement('ping', 'select 1');

async function queryOnPool<Row>(
  pool: TrustedPool,
  statement: Statement<Row>,
  values?: readonly unknown[],
): Promise<Row[]> {
  for (let planMode: PlanMode = 'cached'; ; planMode = 'unprepared') {
    const client = await pool.connect();
    try {
      const rows = await queryOn(client, statement, values, planMode);
      client.release();
      return rows;
    } catch (error) {
      client.release(isStalePlan(error) || isLostConnection(error));
      if (!isStalePlan(error) || planMode === 'unprepared') throw error;
    }
  }
}
