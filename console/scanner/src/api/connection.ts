import { observable } from './observable.ts';

/**
 * Whether the platform decides, as the last scan or the last read of the counts has shown; if not,
 * why.
 */
export type Connection = 'online' | 'no_network' | 'no_response' | 'failing';

export const connection = observable<Connection>('online');

/**
 * What the result of a request says about the connection. A response to a wrong request is a
 * response.
 */
export function connectionAfter(status: number | null, hasNetwork: boolean): Connection {
  if (status === null) return hasNetwork ? 'no_response' : 'no_network';
  return status >= 500 ? 'failing' : 'online';
}

/** Switches between online and offline. */
export const observeConnection = (status: number | null): void =>
  connection.set(connectionAfter(status, navigator.onLine));
