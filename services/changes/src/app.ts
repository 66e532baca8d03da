import { readKeyRing } from '@event-api/platform/core/key-ring';
import type { Database } from '@event-api/platform/db/database';
import type { NoticeBus } from '@event-api/platform/messaging/bus/connect';
import type { ServiceDefinition } from '@event-api/platform/service/run-service';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { type ChangesSettings, config } from './config.ts';
import type { FeedDeps } from './deps.ts';
import { startCleanup } from './feed/cleanup.job.ts';
import { feedOperatorRoutes } from './feed/feed.routes.operator.ts';
import { feedRoutes } from './feed/feed.routes.ts';
import { startLineageWatch } from './feed/lineage.job.ts';
import { startSequencers } from './feed/sequencer.job.ts';
import { createWaiting, type Waiting } from './feed/waiting.ts';
import { startWaking } from './feed/wake.job.ts';
import { createFeedMetrics } from './metrics.ts';
import { changesOrm } from './orm.ts';
import { createAgents, isBlockedAddressOf } from './webhook-delivery/agents.ts';
import { startAttemptCleanup } from './webhook-delivery/cleanup.job.ts';
import { type DeliveryJob, startDelivery } from './webhook-delivery/delivery.job.ts';
import { observeEndpoints } from './webhook-delivery/metrics.job.ts';
import { createDeliveryMetrics } from './webhook-delivery/metrics.ts';
import { createSendRequest } from './webhook-delivery/request.ts';
import { createLookup } from './webhook-delivery/resolve-address.ts';
import { createSlots } from './webhook-delivery/slots.ts';
import type { WebhookDeps } from './webhooks/webhooks.commands.ts';
import { webhookOperatorRoutes } from './webhooks/webhooks.routes.operator.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

export interface ChangesDeps extends FeedDeps, WebhookDeps {
  db: Database;
  bus: NoticeBus;
  waiting: Waiting;
  metrics: Metrics;
  /** Delivers changes to webhook endpoints. */
  delivery: DeliveryJob;
}

/**
 * The service that merges the changes of all services into one feed per business unit, and has the
 * webhook endpoints.
 */
export const changes: ServiceDefinition<ChangesSettings, ChangesDeps> = {
  name: 'changes',
  settings: config,
  orm: changesOrm,
  projections: [],
  setup({ client, ...context }) {
    const { settings, telemetry, clock } = context;
    const cell = settings.CELL ?? null;
    const keyRing = readKeyRing(settings.WEBHOOK_SECRETS_KEYS);
    const slots = createSlots();
    const allowLoopback = settings.WEBHOOKS_ALLOW_LOOPBACK === '1';
    return {
      ...context,
      waiting: createWaiting(),
      metrics: telemetry.metrics,
      feedMetrics: createFeedMetrics(telemetry.metrics, clock),
      cell,
      keyRing,
      allowLoopback,
      isBlockedHost: (hostname) => isBlockedAddressOf(hostname, allowLoopback),
      delivery: startDelivery({
        ...context,
        cell,
        keyRing,
        send: createSendRequest(createAgents({ allowLoopback, lookup: createLookup() }), clock),
        slots,
        metrics: createDeliveryMetrics(telemetry.metrics, slots),
      }),
      owners: {
        catalog: client('catalog'),
        registration: client('registration'),
        commerce: client('commerce'),
        onsite: client('onsite'),
      },
    };
  },
  jobs: (deps) => [
    ...startSequencers(deps),
    startLineageWatch(deps),
    startWaking(deps),
    startCleanup(deps),
    deps.delivery,
    startAttemptCleanup(deps),
    observeEndpoints(deps),
  ],
  onDrain({ waiting, delivery }) {
    waiting.drain();
    delivery.drain();
  },
  routes(api, deps) {
    feedRoutes(api, deps);
    webhookRoutes(api, deps);
  },
  internalRoutes(internal, deps) {
    feedOperatorRoutes(internal, deps);
    webhookOperatorRoutes(internal, deps);
  },
};
