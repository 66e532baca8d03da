import { streamName } from '@event-api/contracts/messages/snapshot';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streamTimeouts } from '../../core/timeouts.ts';
import { addStream, connectionOptions } from './connect.ts';

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
  const nats = await connect({
    ...connectionOptions(options.url, 'provision'),
    waitOnFirstConnect: false,
    reconnect: false,
  });
  try {
    const manager = await jetstreamManager(nats, { timeout: streamTimeouts.requestMs });
    await addStream(manager, options.replicas);
    const { config } = await manager.streams.info(streamName);
    const { replicas, maxBytes = config.max_bytes } = options;
    if (config.num_replicas === replicas && config.max_bytes === maxBytes) return;
    await manager.streams.update(streamName, { num_replicas: replicas, max_bytes: maxBytes });
  } finally {
    await nats.close();
  }
}
