import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseTimeouts, projectionTimeouts } from '../../core/timeouts.ts';
import { clientKeepAlive, sessionKeepAlive, sessionOptions } from '../../db/keep-alive.ts';

/** Elects one process of a service for work that one process does. */
export interface LeaderLock {
  /**
   * Whether this process is the leader. If not, it tries to become the leader a few times per
   * second. A leader tests every few seconds whether it still is: after a failover or without a
   * network the lock may be gone, and nothing says so.
   */
  isLeader(): Promise<boolean>;
  /** Lets another process lead, because this one cannot do the work at present. */
  resign(): Promise<void>;
  close(): Promise<void>;
}

/** The leader holds an advisory lock on its own connection. A lost connection releases the lock. */
export function createLeaderLock(options: { databaseUrl: string; name: string }): LeaderLock {
  let client: pg.Client | null = null;
  let held = false;
  let closed = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  let confirmedAt = Number.NEGATIVE_INFINITY;

  async function tryAcquire(): Promise<boolean> {
    client ??= await connect();
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as led', [
      options.name,
    ]);
    // The connection may have been lost before the result arrived.
    return client !== null && rows[0]?.led === true;
  }

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: options.name,
      connectionTimeoutMillis: databaseTimeouts.connectMs,
      statement_timeout: databaseTimeouts.statementMs,
      query_timeout: databaseTimeouts.queryMs,
      ...clientKeepAlive,
      options: sessionOptions(sessionKeepAlive),
    });
    const drop = () => {
      if (client !== fresh) return;
      held = false;
      client = null;
    };
    fresh.on('error', drop);
    fresh.on('end', drop);
    await fresh.connect();
    return fresh;
  }

  async function release(): Promise<void> {
    const last = client;
    held = false;
    client = null;
    const ended = last?.end().catch(() => {});
    // A server that is gone confirms nothing.
    await Promise.race([
      ended,
      delay(projectionTimeouts.leaderReleaseMs, undefined, { ref: false }),
    ]);
  }

  async function confirm(): Promise<void> {
    if (performance.now() < confirmedAt + projectionTimeouts.leaderCheckIntervalMs) return;
    try {
      await client?.query('select 1');
      confirmedAt = performance.now();
    } catch {
      await release();
    }
  }

  return {
    async isLeader() {
      if (held && !closed) await confirm();
      if (held || closed) return held && !closed;
      const restMs = triedAt + projectionTimeouts.leaderRetryIntervalMs - performance.now();
      if (restMs > 0) await delay(restMs);
      triedAt = performance.now();
      try {
        held = await tryAcquire();
        confirmedAt = performance.now();
      } catch {
        await release();
      }
      if (closed) await release();
      return held;
    },
    resign: release,
    async close() {
      closed = true;
      await release();
    },
  };
}
