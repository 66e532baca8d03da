import { streamName } from '@event-api/contracts/messages/snapshot';
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  type NatsConnection,
  PermissionViolationError,
} from '@nats-io/transport-node';
import { every, pause } from '../../core/every.ts';
import type { Logger } from '../../core/log.ts';
import { reportRepeated } from '../../core/repeated-failures.ts';
import { tlsOptions } from '../../core/server-urls.ts';
import { streamTimeouts } from '../../core/timeouts.ts';
import type { DependencyStatus } from '../../telemetry/dependencies.ts';

/** The stream and its clients, while connected. */
export interface StreamConnection {
  js: JetStreamClient;
  manager: JetStreamManager;
  /**
   * The creation time of the stream. A different one means that the stream was lost and created
   * again.
   */
  streamCreatedAt: string;
}

export interface Bus {
  /** Null while NATS is unavailable. */
  readonly stream: StreamConnection | null;
  /**
   * Calls `listener` immediately if connected, and after every later connect or recreation of the
   * stream.
   */
  onConnect(listener: (stream: StreamConnection) => void): void;
  /**
   * Checks after a failure whether the stream is still the same. A recreated stream is set as after
   * a connect. Never fails.
   */
  checkStream(): Promise<void>;
  /**
   * Sends an empty message outside of the stream, which needs no receiver. Without a connection it
   * does nothing.
   */
  notify(subject: string): void;
  /** Calls `listener` for each such message from now on, also after a reconnect. */
  onNotification(subject: string, listener: (subject: string) => void): void;
  close(): Promise<void>;
}

/** What a process needs to exchange notices. `stream` says whether it is connected. */
export type NoticeBus = Pick<Bus, 'notify' | 'onNotification' | 'onConnect' | 'stream'>;

const nanosPerMillisecond = 1_000_000;

/**
 * Connects in the background and retries without limit: a process starts and serves without NATS.
 * The first connect creates the stream. Its configuration works with server 2.9 and later.
 */
export function connectBus(options: {
  url: string;
  name: string;
  dependency: DependencyStatus;
  log: Logger;
}): Bus {
  const { log, dependency } = options;
  const listeners: ((stream: StreamConnection) => void)[] = [];
  const subscriptions: ((nats: NatsConnection) => void)[] = [];
  const closing = new AbortController();
  const { signal } = closing;
  let stream: StreamConnection | null = null;
  let connection: NatsConnection | null = null;
  let checkInProgress: Promise<void> | null = null;
  // Counts connects and disconnects, so that an outdated response is recognized.
  let connectAttempt = 0;

  // The client's own retries of the first connect hide their errors.
  async function open(): Promise<void> {
    while (!connection && !signal.aborted) {
      try {
        connection = await connect(connectionOptions(options.url, options.name));
      } catch (error) {
        dependency.down(error);
        await pause(reconnectPauseMs(), signal);
      }
    }
    if (!connection) return;
    if (signal.aborted) return connection.close();
    void watch(connection);
    // The client subscribes again after each reconnect.
    for (const subscribe of subscriptions) subscribe(connection);
    await openStream(connection);
  }

  async function openStream(nats: NatsConnection): Promise<void> {
    const attempt = ++connectAttempt;
    for (
      let waitMs = streamTimeouts.openMinBackoffMs;
      !signal.aborted && attempt === connectAttempt;
      waitMs = Math.min(waitMs * 2, streamTimeouts.openMaxBackoffMs)
    ) {
      try {
        requireVersion(nats.info?.version);
        const opened = await ensureStream(nats);
        if (attempt === connectAttempt && !signal.aborted) setStream(opened);
        return;
      } catch (error) {
        if (attempt === connectAttempt && !signal.aborted) dependency.down(error);
        await pause(waitMs, signal);
      }
    }
  }

  function setStream(opened: StreamConnection): void {
    stream = opened;
    dependency.up();
    for (const listener of listeners) listener(opened);
  }

  async function watch(nats: NatsConnection): Promise<void> {
    let reason: unknown = new Error('connection lost');
    for await (const status of nats.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        connectAttempt += 1;
        stream = null;
        if (!signal.aborted) dependency.down(reason);
      } else if (status.type === 'reconnecting') {
        if (!signal.aborted) dependency.down(reason);
      } else if (status.type === 'error') {
        // Without a permission the connection stays open.
        if (!(status.error instanceof PermissionViolationError)) reason = status.error;
      } else if (status.type === 'reconnect') {
        reason = new Error('connection lost');
        void openStream(nats);
      }
    }
  }

  async function pollStream(): Promise<void> {
    const attempt = connectAttempt;
    if (!connection || !stream) return;
    const info = await stream.manager.streams.info(streamName).catch(() => null);
    if (info?.created === stream?.streamCreatedAt || attempt !== connectAttempt) return;
    // Another process may create it during the pause. `ensureStream` then finds that stream.
    if (!info) await pause(streamTimeouts.recreateDelayMs, signal);
    if (signal.aborted || attempt !== connectAttempt) return;
    const current = await ensureStream(connection).catch(() => null);
    if (
      current &&
      attempt === connectAttempt &&
      stream?.streamCreatedAt !== current.streamCreatedAt
    )
      setStream(current);
  }

  function checkStream(): Promise<void> {
    checkInProgress ??= pollStream().finally(() => {
      checkInProgress = null;
    });
    return checkInProgress;
  }

  // Deleting a stream breaks no connection, and another process may already have created it again.
  const polling = every(checkStream, {
    intervalMs: streamTimeouts.checkIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to check the stream, will retry'),
    ),
  });

  void open();
  return {
    get stream() {
      return stream;
    },
    onConnect(listener) {
      listeners.push(listener);
      if (stream) listener(stream);
    },
    checkStream,
    notify(subject) {
      if (connection && !connection.isClosed() && stream) connection.publish(subject);
    },
    onNotification(subject, listener) {
      const subscribe = (nats: NatsConnection) =>
        void nats.subscribe(subject, {
          callback: (_error, message) => listener(message.subject),
        });
      subscriptions.push(subscribe);
      if (connection) subscribe(connection);
    },
    async close() {
      closing.abort();
      stream = null;
      const stopped = polling.stop();
      await connection?.close();
      await stopped;
    },
  };
}

/**
 * How a process with this name connects to the address. Errors: the file of its authority cannot be
 * read.
 */
export function connectionOptions(url: string, name: string): ConnectionOptions {
  const { host, username, password } = new URL(url);
  // With it the client rejects a server without TLS.
  const tls = tlsOptions(url);
  return {
    servers: host,
    name,
    ...(tls && { tls }),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    timeout: streamTimeouts.requestMs,
    maxReconnectAttempts: -1,
    // A password may be replaced in the server first.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: streamTimeouts.reconnectIntervalMs,
    reconnectJitter: streamTimeouts.reconnectJitterMs,
    pingInterval: streamTimeouts.pingIntervalMs,
    maxPingOut: 2,
  };
}

/** The oldest version that has what the stream and its consumers need. */
const minVersion = [2, 9] as const;

/** Errors: the version is older than `minVersion`. */
export function requireVersion(version = ''): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = minVersion;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  throw new Error(`NATS ${version} is too old: it needs ${minVersion.join('.')} or later`);
}

const reconnectPauseMs = () =>
  streamTimeouts.reconnectIntervalMs + Math.random() * streamTimeouts.reconnectJitterMs;

async function ensureStream(nats: NatsConnection): Promise<StreamConnection> {
  const manager = await jetstreamManager(nats, { timeout: streamTimeouts.requestMs });
  const info = await manager.streams.info(streamName).catch(() => null);
  const { created } = info ?? (await addStream(manager));
  return {
    js: jetstream(nats, { timeout: streamTimeouts.requestMs }),
    manager,
    streamCreatedAt: created,
  };
}

/** The size of the stream if nobody has chosen another one. */
export const defaultStreamBytes = 2 * 1024 ** 3;

/** Creates the stream unless it exists. Several replicas need as many servers of a cluster. */
export async function addStream(
  manager: JetStreamManager,
  { replicas = 1, maxBytes = defaultStreamBytes }: { replicas?: number; maxBytes?: number } = {},
): Promise<{ created: string }> {
  try {
    return await manager.streams.add({
      name: streamName,
      subjects: ['snapshot.>'],
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_age: streamTimeouts.retentionMs * nanosPerMillisecond,
      max_bytes: maxBytes,
      num_replicas: replicas,
    });
  } catch (error) {
    // Another process may have created it in the meantime.
    return manager.streams.info(streamName).catch(() => {
      throw error;
    });
  }
}
