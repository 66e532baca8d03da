import { origins } from '@event-api/contracts/messages/snapshot';
import {
  type InternalUrlSetting,
  internalUrlSetting,
  processNamed,
  type ServiceName,
} from '@event-api/contracts/topology';
import { type Clock, systemClock } from '../core/clock.ts';
import type { ProcessSettings } from '../core/config.ts';
import { createLogger, type Logger } from '../core/log.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { observePool } from '../db/pool-metrics.ts';
import { watchDatabase } from '../db/watch-database.ts';
import { createCallerSigner, createCallerVerifier } from '../http/caller-tokens.ts';
import { listen } from '../http/listen.ts';
import { createServiceClient, type ServiceClient } from '../http/service-client.ts';
import { createSnapshotClient } from '../http/snapshot-client.ts';
import type { Bus } from '../messaging/bus/connect.ts';
import {
  connectForNotices,
  type ServiceMessaging,
  startMessaging,
} from '../messaging/messaging.ts';
import type { Projection } from '../messaging/projections/projection.ts';
import type { ProjectionRefresher } from '../messaging/projections/refresher.ts';
import { createDependencies } from '../telemetry/dependencies.ts';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import { awaitSchema } from './await-schema.ts';
import { buildListeners, type ServiceRoutes } from './build-listeners.ts';
import { runProcess } from './run-process.ts';

/** The settings that every service has; one internal URL for each service that it calls. */
export type ServiceSettings = ProcessSettings & { NATS_URL: string } & {
  [Name in InternalUrlSetting<ServiceName>]?: string;
};

/** Background work that runs until it is stopped. */
export interface Job {
  stop(): Promise<void>;
}

/** What the platform provides to a service. */
export interface ServiceContext<Settings extends ServiceSettings = ServiceSettings> {
  settings: Settings;
  db: Database;
  log: Logger;
  clock: Clock;
  telemetry: Telemetry;
  refresher: ProjectionRefresher;
  /** For notices outside of the stream. */
  bus: Bus;
  /** A client for the internal operations of another service. */
  client(peer: ServiceName, options?: { timeoutMs?: number }): ServiceClient;
}

/** A service: its settings, its schema, its projections and its routes. */
export interface ServiceDefinition<Settings extends ServiceSettings, Deps>
  extends ServiceRoutes<Deps> {
  settings: () => Settings;
  orm: (databaseUrl: string) => Parameters<typeof openDatabase>[0];
  projections: readonly Projection[];
  /** Creates what the routes and jobs use. */
  setup: (context: ServiceContext<Settings>) => Deps | Promise<Deps>;
  jobs?: (deps: Deps, settings: Settings) => readonly Job[];
  /** Ends requests that wait for something other than their result. Called when a drain begins. */
  onDrain?: (deps: Deps) => void;
}

/**
 * Runs a service until SIGTERM or SIGINT. It then drains the listeners, stops the jobs, publishes
 * the rest of the outbox and closes the database, in this order.
 */
export const runService = <Settings extends ServiceSettings, Deps>(
  definition: ServiceDefinition<Settings, Deps>,
): Promise<void> => runProcess((stopping) => startService(definition, stopping));

async function startService<Settings extends ServiceSettings, Deps>(
  definition: ServiceDefinition<Settings, Deps>,
  stopping: AbortSignal,
): Promise<{ log: Logger; stop: () => Promise<void> }> {
  const { name, projections, sources } = definition;
  const settings = definition.settings();
  const log = createLogger({ service: name, level: settings.LOG_LEVEL });
  const orm = definition.orm(settings.DATABASE_URL);
  const db = await openDatabase(orm, settings.DATABASE_POOL_MAX);
  const { HOST: host, INTERNAL_PORT: internalPort } = settings;
  const checkSchema = await awaitSchema({ orm, db, log, host, internalPort, stopping });
  const telemetry = await createTelemetry({ service: name, log, settings });
  observePool(telemetry.metrics, db);
  const dependencies = createDependencies({ metrics: telemetry.metrics, log });
  const databaseWatch = watchDatabase(db, dependencies.observe('postgres'));
  const signer = await createCallerSigner({
    issuer: name,
    privateJwk: settings.CALLER_PRIVATE_KEY,
  });
  const peer = (owner: ServiceName) => ({ url: internalUrlOf(settings, owner), signer });
  const origin = sources && origins.find((candidate) => candidate === name);
  const projected = new Set(projections.map(({ type }) => type.origin));
  const connection = {
    db,
    log,
    schema: name,
    natsUrl: settings.NATS_URL,
    nats: dependencies.observe('nats'),
  };
  const messaging: ServiceMessaging = processNamed(name).projects
    ? startMessaging({
        ...connection,
        databaseUrl: settings.DATABASE_URL,
        ...(origin && { origin }),
        projections,
        snapshotClients: Object.fromEntries(
          [...projected].map((owner) => [owner, createSnapshotClient(peer(owner))]),
        ),
        metrics: telemetry.metrics,
        spans: telemetry.spans,
      })
    : connectForNotices(connection);
  const deps = await definition.setup({
    settings,
    db,
    log,
    clock: systemClock,
    telemetry,
    refresher: messaging.refresher,
    bus: messaging.bus,
    client: (owner, options) => createServiceClient({ ...peer(owner), ...options }),
  });
  const jobs = definition.jobs?.(deps, settings) ?? [];
  const servers = buildListeners(definition, deps, {
    db,
    log,
    telemetry,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    checkpoint: messaging.checkpoint,
    ...(messaging.outbox && { outbox: messaging.outbox }),
    resyncProjections: messaging.projector?.resync ?? null,
    checkResponses: settings.NODE_ENV !== 'production',
  });
  const listeners = await listen({
    ...servers,
    log,
    telemetry,
    dependencies,
    host,
    port: settings.PORT,
    internalPort,
    async ping() {
      await checkSchema();
      await messaging.outbox?.started;
    },
    onDrain: () => definition.onDrain?.(deps),
    drainIdleMs: settings.DRAIN_IDLE_TIMEOUT_MS,
  });
  return {
    log,
    async stop() {
      await listeners.stop();
      await Promise.all(jobs.map((job) => job.stop()));
      await messaging.close();
      await databaseWatch.stop();
      await db.close();
    },
  };
}

function internalUrlOf(settings: ServiceSettings, owner: ServiceName): string {
  const name = internalUrlSetting(owner);
  const url = settings[name];
  if (!url) throw new Error(`${name} is missing`);
  return url;
}
