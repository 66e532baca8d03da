import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Logger } from '../core/log.ts';
import type { Database } from '../db/database.ts';
import { pollGauges } from '../telemetry/gauge-poller.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Bus } from './bus/connect.ts';
import type { OutboxState } from './outbox/outbox.queries.ts';
import type { Outbox } from './outbox/outbox.ts';
import { createProjectionQueries } from './projections/projections.queries.ts';

interface MessagingSample extends OutboxState {
  deadLetters: number;
  /**
   * The last known one while the bus is unavailable, so that an alert does not end. Null before the
   * first one.
   */
  lag: number | null;
}

const nothingToPublish: OutboxState = { unpublished: 0, oldestSeconds: 0, rejected: 0 };

/** Polls the state of the outbox, the projections and the bus, and exports it as metrics. */
export function observeMessaging(options: {
  db: Database;
  bus: Bus;
  outbox: Outbox | null;
  schema: string;
  metrics: Metrics;
  intervalMs: number;
  log: Pick<Logger, 'warn'>;
}): { stop(): Promise<void> } {
  const { db, bus, outbox, metrics } = options;
  const queries = createProjectionQueries(options.schema);

  async function lag(): Promise<number | null> {
    const { stream } = bus;
    if (!stream) return null;
    const { seq, streamCreatedAt } = await queries.readCheckpoint(db);
    const { state, created } = await stream.manager.streams.info(streamName);
    return Math.max(0, state.last_seq - (streamCreatedAt === created ? seq : 0));
  }

  let knownLag: number | null = null;

  async function sample(): Promise<MessagingSample> {
    const state = (await outbox?.state()) ?? nothingToPublish;
    knownLag = (await lag().catch(() => null)) ?? knownLag;
    return {
      ...state,
      deadLetters: await queries.countDeadLetters(db),
      lag: knownLag,
    };
  }

  const { gauge, stop } = pollGauges(sample, options);
  metrics.observe(
    'outbox.unpublished',
    gauge(({ unpublished }) => unpublished),
  );
  metrics.observe(
    'outbox.oldest_unpublished.age',
    gauge(({ oldestSeconds }) => oldestSeconds),
  );
  metrics.observe(
    'outbox.rejected',
    gauge(({ rejected }) => rejected),
  );
  metrics.observe(
    'projection.dead_letters',
    gauge(({ deadLetters }) => deadLetters),
  );
  metrics.observe(
    'projection.lag',
    gauge((latest) => latest.lag),
  );
  return { stop };
}
