import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

type Query = (...args: unknown[]) => unknown;

/**
 * Sends the statements of one turn of the event loop with one write to the socket: `begin` with the
 * first statement of a transaction, statements that do not await each other, and the last ones with
 * `commit`. Each write is a system call, and may wake the process of the server.
 */
export function shareWrites(client: PoolClient): void {
  const query = client.query.bind(client) as Query;
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  let isHeld = false;
  const release = () => {
    isHeld = false;
    stream.uncork();
  };
  client.query = ((...args: unknown[]) => {
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      // Runs when the promises that are settled by now have continued.
      process.nextTick(release);
    }
    return query(...args);
  }) as PoolClient['query'];
}
