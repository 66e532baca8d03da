import { databaseTimeouts } from '../core/timeouts.ts';

const inSeconds = (ms: number) => Math.round(ms / 1000);

/**
 * How a connection finds out that the other side is gone. A host or a network that is lost closes no
 * connection: without this an idle one stays open for two hours, in the pool of the process, and in
 * the server with its locks.
 */
export const clientKeepAlive = {
  keepAlive: true,
  keepAliveInitialDelayMillis: databaseTimeouts.keepAliveMs,
};

/** The same for the session in the server, as settings of the session. */
export const sessionKeepAlive = [
  `tcp_keepalives_idle=${inSeconds(databaseTimeouts.keepAliveMs)}`,
  `tcp_keepalives_interval=${inSeconds(databaseTimeouts.keepAliveIntervalMs)}`,
  `tcp_keepalives_count=${databaseTimeouts.keepAliveAttempts}`,
  `tcp_user_timeout=${databaseTimeouts.unacknowledgedMs}`,
];

/** The startup option of PostgreSQL with these settings of the session. */
export const sessionOptions = (settings: readonly string[]): string =>
  settings.map((setting) => `-c ${setting}`).join(' ');
