import { streamName } from '@event-api/contracts/messages/snapshot';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streamTimeouts } from '../../core/timeouts.ts';
import { addStream, connectionOptions } from './connect.ts';

/**
 * Creates the stream with this number of replicas, or changes the number of an existing one, as a user that may change
 * streams. The first publisher creates the stream with one replica. Idempotent.
 * Errors: NATS cannot be reached, or its cluster has fewer servers.
 */
export async function provisionStream(options: { url: string; replicas: number }): Promise<void> {
  const nats = await connect({
    ...connectionOptions(options.url, 'provision'),
    waitOnFirstConnect: false,
    reconnect: false,
  });
  try {
    const manager = await jetstreamManager(nats, { timeout: streamTimeouts.requestMs });
    await addStream(manager, options.replicas);
    const { config } = await manager.streams.info(streamName);
    if (config.num_replicas === options.replicas) return;
    await manager.streams.update(streamName, { num_replicas: options.replicas });
  } finally {
    await nats.close();
  }
}
