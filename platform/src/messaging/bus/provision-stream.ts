import { streamName } from '@event-api/contracts/messages/snapshot';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streamTimeouts } from '../../core/timeouts.ts';
import { addStream, connectionOptions, requireVersion } from './connect.ts';

/**
 * Creates the stream with this number of replicas and this size, or changes them, as a user that
 * may change streams. The first publisher creates the stream with one replica and the default size,
 * which an omitted `maxBytes` keeps. Idempotent.
 * Errors: NATS cannot be reached, or its cluster has fewer servers.
 */
export async function provisionStream(options: {
  url: string;
  replicas: number;
  maxBytes?: number;
}): Promise<void> {
  await withManager(options.url, async (manager) => {
    await addStream(manager, options);
    const { config } = await manager.streams.info(streamName);
    const { replicas, maxBytes = config.max_bytes } = options;
    if (config.num_replicas === replicas && config.max_bytes === maxBytes) return;
    await manager.streams.update(streamName, { num_replicas: replicas, max_bytes: maxBytes });
  });
}

/**
 * Creates the stream with this size unless it exists. Errors: NATS cannot be reached, is too old, or
 * refuses the stream.
 */
export const createStream = (url: string, maxBytes: number): Promise<void> =>
  withManager(url, async (manager) => void (await addStream(manager, { maxBytes })));

async function withManager(
  url: string,
  use: (manager: JetStreamManager) => Promise<void>,
): Promise<void> {
  const nats = await connect({
    ...connectionOptions(url, 'provision'),
    waitOnFirstConnect: false,
    reconnect: false,
  });
  try {
    requireVersion(nats.info?.version);
    await use(await jetstreamManager(nats, { timeout: streamTimeouts.requestMs }));
  } finally {
    await nats.close();
  }
}
