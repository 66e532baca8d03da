import { streamName } from '@event-api/contracts/messages/snapshot';
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import { createWaiter } from '../../core/every.ts';
import type { Logger } from '../../core/log.ts';

/** The stream while there is a connection to it. */
export interface StreamConnection {
  js: JetStreamClient;
  manager: JetStreamManager;
  /** When the stream was made. Another one means that it was lost and made anew. */
  streamCreatedAt: string;
}

export interface Bus {
  /** Null while NATS is away. */
  readonly stream: StreamConnection | null;
  /** Runs at once if there is a connection, and after every later connect. */
  onConnect(listener: (stream: StreamConnection) => void): void;
  /** Looks whether the stream is still the same after something has failed; one that was made anew is entered as after a connect. Never fails. */
  checkStream(): Promise<void>;
  close(): Promise<void>;
}

const pollIntervalMs = 2000;
const dayNanos = 24 * 60 * 60 * 1e9;

/**
 * Connects in the background and for ever: a process starts and serves without NATS.
 * The stream is made on the first connect; what it is configured with is understood by server 2.9.
 */
export function connectBus(options: { url: string; name: string; log: Logger }): Bus {
  const { log } = options;
  const listeners: ((stream: StreamConnection) => void)[] = [];
  const waiter = createWaiter();
  let stream: StreamConnection | null = null;
  let connection: NatsConnection | null = null;
  let checkInProgress: Promise<void> | null = null;
  // Counts connects and disconnects, so that an answer that comes too late is known as such.
  let connectAttempt = 0;
  let closing = false;

  async function open(): Promise<void> {
    connection = await connect(connectionOptions(options.url, options.name));
    if (closing) return connection.close();
    void watch(connection);
    await openStream(connection);
  }

  async function openStream(nats: NatsConnection): Promise<void> {
    const attempt = ++connectAttempt;
    for (
      let waitMs = 50;
      !closing && attempt === connectAttempt;
      waitMs = Math.min(waitMs * 2, 1000)
    ) {
      try {
        const opened = await ensureStream(nats);
        if (attempt === connectAttempt && !closing) setStream(opened);
        return;
      } catch (error) {
        if (attempt === connectAttempt && !closing)
          log.warn({ err: error }, 'the stream is not ready');
        await waiter.wait(waitMs);
      }
    }
  }

  function setStream(opened: StreamConnection): void {
    stream = opened;
    for (const listener of listeners) listener(opened);
  }

  async function watch(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        connectAttempt += 1;
        if (stream) log.warn('nats is away');
        stream = null;
      } else if (status.type === 'reconnect') {
        log.info('nats is back');
        void openStream(nats);
      }
    }
  }

  async function pollStream(): Promise<void> {
    const attempt = connectAttempt;
    if (!connection || !stream) return;
    const info = await stream.manager.streams.info(streamName).catch(() => null);
    if (info?.created === stream?.streamCreatedAt || attempt !== connectAttempt) return;
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

  // Whoever deletes a stream breaks no connection, and another process may have made it anew already.
  const timer = setInterval(() => void checkStream(), pollIntervalMs);
  timer.unref();

  void open().catch((error) => log.error({ err: error }, 'nats refused this client'));
  return {
    get stream() {
      return stream;
    },
    onConnect(listener) {
      listeners.push(listener);
      if (stream) listener(stream);
    },
    checkStream,
    async close() {
      closing = true;
      stream = null;
      clearInterval(timer);
      waiter.wake();
      await connection?.close();
    },
  };
}

function connectionOptions(url: string, name: string): ConnectionOptions {
  const { host, username, password } = new URL(url);
  return {
    servers: host,
    name,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    // A server that takes a connection and then says nothing is tried anew soon.
    timeout: 2000,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 100,
    reconnectJitter: 50,
    pingInterval: 2000,
    maxPingOut: 2,
  };
}

async function ensureStream(nats: NatsConnection): Promise<StreamConnection> {
  const manager = await jetstreamManager(nats, { timeout: 2000 });
  const info = await manager.streams.info(streamName).catch(() => null);
  const { created } = info ?? (await addStream(manager));
  return { js: jetstream(nats, { timeout: 2000 }), manager, streamCreatedAt: created };
}

async function addStream(manager: JetStreamManager): Promise<{ created: string }> {
  try {
    return await manager.streams.add({
      name: streamName,
      subjects: ['ev.>'],
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_age: 7 * dayNanos,
      max_bytes: 2 * 1024 ** 3,
      num_replicas: 1,
    });
  } catch (error) {
    // Another process may have made it in the meantime.
    return manager.streams.info(streamName).catch(() => {
      throw error;
    });
  }
}
