import type { PoolClient } from 'pg';

type Callback = (error: Error | null, result?: unknown) => void;
type Query = (config: unknown, values: unknown, callback?: Callback) => unknown;

/**
 * Fails a statement of a connection to which the server does not respond within `timeoutMs`, and
 * closes the connection.
 *
 * It replaces `query_timeout` of pg, and the promises of its `query`. Both assign function literals
 * to a property of each query. V8 allocates such a function in the old generation, so that all that
 * it reaches, up to the rows, stays until the next major collection. Source: ADR 0047.
 */
export function limitResponseTime(client: PoolClient, timeoutMs: number): void {
  const query = client.query.bind(client) as Query;
  const { stream } = (client as unknown as Connected).connection;

  function endConnection(pending: { done: Callback }): void {
    const { done } = pending;
    pending.done = ignore;
    done(new Error('Query read timeout'));
    stream.destroy();
  }

  function send(config: unknown, values: unknown, done: Callback): void {
    const pending = { done };
    const timer = setTimeout(endConnection, timeoutMs, pending);
    query(config, values, (error, result) => {
      clearTimeout(timer);
      pending.done(error, result);
    });
  }

  const limited: Query = (config, values, callback) => {
    // A cursor or a copy sends itself.
    if (typeof (config as { submit?: unknown } | null)?.submit === 'function')
      return query(config, values, callback);
    if (typeof values === 'function') return send(config, undefined, values as Callback);
    if (callback) return send(config, values, callback);
    const result = new Promise((resolve, reject) => {
      send(config, values, (error, received) => (error ? reject(error) : resolve(received)));
    });
    return result.catch(rethrowFromCaller);
  };
  client.query = limited as PoolClient['query'];
}

interface Connected {
  connection: { stream: { destroy(): void } };
}

function ignore(): void {}

/**
 * The error was created where the response was read. Its stack trace becomes that of the statement.
 */
function rethrowFromCaller(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}
