import type { Origin } from '@event-api/contracts/messages/snapshot';
import type { Logger } from '../core/log.ts';
import { streamTimeouts, telemetryTimeouts } from '../core/timeouts.ts';
import type { Database } from '../db/database.ts';
import type { DependencyStatus } from '../telemetry/dependencies.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import { type Bus, connectBus } from './bus/connect.ts';
import { createChangeNotices } from './changes/notices.ts';
import { observeMessaging } from './messaging-metrics.ts';
import { createOutbox, type Outbox, publishOnCommit } from './outbox/outbox.ts';
import { type Checkpoint, createCheckpoint } from './projections/checkpoint.ts';
import { createLeaderLock } from './projections/leader.ts';
import { createOriginTrust, fullTrust } from './projections/origin-trust.ts';
import type { Projection } from './projections/projection.ts';
import { createProjector, type Projector } from './projections/projector.ts';
import { createProjectionRefresher, type ProjectionRefresher } from './projections/refresher.ts';
import type { SnapshotClient } from './projections/snapshot-client.ts';
import { reportSharedStream } from './shared-stream.ts';

export interface Messaging {
  bus: Bus;
  /** Null for a service that publishes nothing. */
  outbox: Outbox | null;
  projector: Projector;
  checkpoint: Checkpoint;
  refresher: ProjectionRefresher;
  /** Publishes the rest of the outbox while the bus is available, then closes everything. */
  close(): Promise<void>;
}

/** What a service uses of the bus. Null is what only a service with projections has. */
export interface ServiceMessaging extends Omit<Messaging, 'projector' | 'checkpoint'> {
  projector: Projector | null;
  checkpoint: Checkpoint | null;
}

/**
 * Connects a service to the bus that neither publishes records nor has projections: it only
 * exchanges notices.
 */
export function connectForNotices(options: {
  db: Database;
  natsUrl: string;
  nats: DependencyStatus;
  schema: string;
  log: Logger;
}): ServiceMessaging {
  const { db, natsUrl, nats, schema, log } = options;
  const bus = connectBus({ url: natsUrl, name: schema, dependency: nats, log });
  const none = { projections: [], snapshotClients: {}, trust: fullTrust };
  return {
    bus,
    outbox: null,
    projector: null,
    checkpoint: null,
    refresher: createProjectionRefresher({ db, ...none }),
    close: () => bus.close(),
  };
}

/**
 * Connects a service to the bus. It publishes its records as `origin`, if it has one, and keeps
 * projections of records of other services.
 */
export function startMessaging(options: {
  db: Database;
  databaseUrl: string;
  natsUrl: string;
  /** Receives whether NATS is available. */
  nats: DependencyStatus;
  origin?: Origin;
  schema: string;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
  metrics: Metrics;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  log: Logger;
  /** The refresh interval of the metrics. */
  metricsIntervalMs?: number;
}): Messaging {
  const { db, schema, projections, snapshotClients, origin, metrics, spans, log } = options;
  const bus = connectBus({ url: options.natsUrl, name: schema, dependency: options.nats, log });
  const countRewind = metrics.counter('outbox.rewinds');
  const onShared = reportSharedStream({ metrics, log });
  const outbox = origin
    ? createOutbox({
        db,
        bus,
        origin,
        schema,
        spans,
        log,
        onRewound: () => countRewind(),
        onShared,
      })
    : null;
  const changeNotices = createChangeNotices(bus, schema);
  publishOnCommit(db, outbox, changeNotices);
  const origins = [...new Set(projections.map((projection) => projection.type.origin))];
  const checkpoint = createCheckpoint({ db, schema, origins });
  const trust = createOriginTrust({ db, schema });
  const leaderLock = createLeaderLock({
    databaseUrl: options.databaseUrl,
    name: `${schema} projections`,
  });
  const projector = createProjector({
    db,
    bus,
    schema,
    projections,
    snapshotClients,
    checkpoint,
    leaderLock,
    onShared,
    spans,
    log,
  });
  const intervalMs = options.metricsIntervalMs ?? telemetryTimeouts.messagingIntervalMs;
  const watch = observeMessaging({ db, bus, outbox, schema, metrics, intervalMs, log });
  return {
    bus,
    outbox,
    projector,
    checkpoint,
    refresher: createProjectionRefresher({ db, projections, snapshotClients, trust }),
    async close() {
      changeNotices.close();
      await Promise.all([projector.close(), watch.stop(), outbox?.close(streamTimeouts.flushMs)]);
      await bus.close();
    },
  };
}
