import { streamName } from '@event-api/contracts/messages/snapshot';
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../log.ts';

/** The stream while there is a connection to it. */
export interface Stream {
  js: JetStreamClient;
  manager: JetStreamManager;
  /** When the stream was made. Another one means that it was lost and made anew. */
  incarnation: string;
}

export interface Bus {
  /** Null while NATS is away. */
  readonly stream: Stream | null;
  /** Runs at once if there is a connection, and after every later connect. */
  onConnect(listener: (stream: Stream) => void): void;
  close(): Promise<void>;
}

const dayNanos = 24 * 60 * 60 * 1e9;

/**
 * Connects in the background and for ever: a process starts and serves without NATS.
 * The stream is made on the first connect; what it is configured with is understood by server 2.9.
 */
export function connectBus(options: { url: string; name: string; log: Logger }): Bus {
  const { log } = options;
  const listeners: ((stream: Stream) => void)[] = [];
  let stream: Stream | null = null;
  let connection: NatsConnection | null = null;
  let closing = false;

  async function open(): Promise<void> {
    connection = await connect(connectionOptions(options.url, options.name));
    if (closing) return connection.close();
    void watch(connection);
    await enter(connection);
  }

  async function enter(nats: NatsConnection): Promise<void> {
    for (let waitMs = 50; !closing && !nats.isClosed(); waitMs = Math.min(waitMs * 2, 1000)) {
      try {
        const entered = await ensureStream(nats);
        stream = entered;
        for (const listener of listeners) listener(entered);
        return;
      } catch (error) {
        log.warn({ err: error }, 'the stream is not ready');
        await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
      }
    }
  }

  async function watch(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        if (stream) log.warn('nats is away');
        stream = null;
      } else if (status.type === 'reconnect') {
        log.info('nats is back');
        void enter(nats);
      }
    }
  }

  void open().catch((error) => log.error({ err: error }, 'nats refused this client'));
  return {
    get stream() {
      return stream;
    },
    onConnect(listener) {
      listeners.push(listener);
      if (stream) listener(stream);
    },
    async close() {
      closing = true;
      stream = null;
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
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 100,
    reconnectJitter: 50,
    pingInterval: 2000,
    maxPingOut: 2,
    // A message that waits in a buffer is one whose fate nobody knows; the outbox keeps it instead.
    reconnect: true,
  };
}

async function ensureStream(nats: NatsConnection): Promise<Stream> {
  const manager = await jetstreamManager(nats, { timeout: 2000 });
  const info = await manager.streams.info(streamName).catch(() => null);
  const { created } = info ?? (await addStream(manager));
  return { js: jetstream(nats, { timeout: 2000 }), manager, incarnation: created };
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
