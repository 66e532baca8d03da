import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Database } from '../db/database.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxState } from '../outbox/queries.ts';
import { createProjectionQueries } from '../projections/queries.ts';
import { keepLooking } from '../telemetry/keep-looking.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Bus } from './connect.ts';

interface Seen extends OutboxState {
  buried: number;
  /** Null while the bus is away: nobody knows then. */
  lag: number | null;
}

const nothingToPublish: OutboxState = { unpublished: 0, oldestSeconds: 0, refused: 0 };

/** Looks every few seconds how a service and the bus get along, and tells it as metrics. */
export function watchMessaging(options: {
  db: Database;
  bus: Bus;
  outbox: Outbox | null;
  schema: string;
  metrics: Metrics;
  everyMs: number;
}): { stop(): Promise<void> } {
  const { db, bus, outbox, metrics } = options;
  const queries = createProjectionQueries(options.schema);

  async function lag(): Promise<number | null> {
    const { stream } = bus;
    if (!stream) return null;
    const { seq, incarnation } = await queries.readPosition(db);
    const { state, created } = await stream.manager.streams.info(streamName);
    return Math.max(0, state.last_seq - (incarnation === created ? seq : 0));
  }

  async function look(): Promise<Seen> {
    const state = (await outbox?.state()) ?? nothingToPublish;
    return { ...state, buried: await queries.countBuried(db), lag: await lag().catch(() => null) };
  }

  const { tell, stop } = keepLooking(look, options.everyMs);
  metrics.observe(
    'outbox.unpublished',
    tell(({ unpublished }) => unpublished),
  );
  metrics.observe(
    'outbox.oldest_unpublished.age',
    tell(({ oldestSeconds }) => oldestSeconds),
  );
  metrics.observe(
    'outbox.refused',
    tell(({ refused }) => refused),
  );
  metrics.observe(
    'projection.dead_letters',
    tell(({ buried }) => buried),
  );
  metrics.observe(
    'projection.lag',
    tell((now) => now.lag),
  );
  return { stop };
}
