import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Database } from '../db/database.ts';
import type { Faults } from '../faults.ts';
import type { Logger } from '../log.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { type AskOwner, createAskOwner } from '../projections/ask-owner.ts';
import type { Copy } from '../projections/copy.ts';
import { createLeadership } from '../projections/leadership.ts';
import type { SnapshotOwner } from '../projections/owner.ts';
import { createPosition, type Position } from '../projections/position.ts';
import { createProjector, type Projector } from '../projections/projector.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import { type Bus, connectBus } from './connect.ts';
import { watchMessaging } from './watch.ts';

export interface Messaging {
  bus: Bus;
  /** Null where nothing is published. */
  outbox: Outbox | null;
  projector: Projector;
  position: Position;
  askOwner: AskOwner;
  /** Publishes what is left, as far as the bus lets it, and lets go of everything. */
  close(): Promise<void>;
}

const flushMs = 2000;

/**
 * All that a service has to do with the bus: it publishes as `origin`, unless nobody copies what it owns,
 * and keeps `copies` of what others own.
 */
export function startMessaging(options: {
  db: Database;
  databaseUrl: string;
  natsUrl: string;
  origin?: Origin;
  schema: string;
  copies: readonly Copy[];
  owners: Partial<Record<Origin, SnapshotOwner>>;
  faults: Faults;
  metrics: Metrics;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  log: Logger;
  /** How often the metrics are brought up to date. */
  lookEveryMs?: number;
}): Messaging {
  const { db, schema, copies, owners, origin, faults, metrics, spans, log } = options;
  const bus = connectBus({ url: options.natsUrl, name: schema, log });
  const outbox = origin ? createOutbox({ db, bus, origin, schema, spans, faults, log }) : null;
  if (outbox) db.publishWith((rows) => outbox.publish(rows));
  const origins = [...new Set(copies.map((copy) => copy.type.origin))];
  const patienceMs = faults.guardIsOff('copies.hurry') ? 10_000 : undefined;
  const position = createPosition({ db, schema, origins, patienceMs });
  const leadership = createLeadership({
    databaseUrl: options.databaseUrl,
    name: `${schema} copies`,
  });
  const projector = createProjector({
    db,
    bus,
    schema,
    copies,
    owners,
    position,
    leadership,
    spans,
    log,
  });
  const everyMs = options.lookEveryMs ?? 5000;
  const watch = watchMessaging({ db, bus, outbox, schema, metrics, everyMs });
  return {
    bus,
    outbox,
    projector,
    position,
    askOwner: createAskOwner({ db, copies, owners }),
    async close() {
      await Promise.all([projector.close(), watch.stop(), outbox?.close(flushMs)]);
      await bus.close();
    },
  };
}
