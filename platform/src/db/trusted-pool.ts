import type { Pool, PoolClient } from 'pg';

/** A pool without the connections of a server that does not respond any more. */
export interface TrustedPool {
  /** Errors: those of the pool. */
  connect(): Promise<PoolClient>;
  /**
   * The server has not responded on a connection. After a failover it never will, on no connection
   * that was opened before: those are closed instead of used, so that each does not cost a request
   * its whole time limit.
   */
  distrust(): void;
}

export function createTrustedPool(pool: Pool): TrustedPool {
  /** Counts the losses before each connection was opened. */
  const openedAfter = new WeakMap<PoolClient, number>();
  let losses = 0;
  pool.on('connect', (client) => void openedAfter.set(client, losses));
  return {
    async connect() {
      for (;;) {
        const client = await pool.connect();
        if (openedAfter.get(client) === losses) return client;
        client.release(true);
      }
    },
    distrust() {
      losses += 1;
    },
  };
}
