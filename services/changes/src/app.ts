import type { Database } from '@event-api/platform/db/database';
import type { Bus } from '@event-api/platform/messaging/bus/connect';
import type { ServiceDefinition } from '@event-api/platform/service/run-service';
import { type ChangesSettings, config } from './config.ts';
import type { FeedDeps } from './deps.ts';
import { startCleanup } from './feed/cleanup.job.ts';
import { startLineageWatch } from './feed/lineage.job.ts';
import { feedRoutes } from './feed/routes.ts';
import { startSequencers } from './feed/sequencer.job.ts';
import { createWaiting, type Waiting } from './feed/waiting.ts';
import { startWaking } from './feed/wake.job.ts';
import { changesOrm } from './orm.ts';
import type { WebhookDeps } from './webhooks/commands.ts';
import { webhookOperatorRoutes } from './webhooks/routes.operator.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { readKeyRing } from './webhooks/secrets.ts';

export interface ChangesDeps extends FeedDeps, WebhookDeps {
  db: Database;
  bus: Pick<Bus, 'notify' | 'onNotification'>;
  waiting: Waiting;
}

/** The service that merges the changes of all services into one feed per business unit, and has the webhook endpoints. */
export const changes: ServiceDefinition<ChangesSettings, ChangesDeps> = {
  name: 'changes',
  settings: config,
  orm: changesOrm,
  projections: [],
  setup: ({ client, ...context }) => ({
    ...context,
    waiting: createWaiting(),
    keyRing: readKeyRing(context.settings.WEBHOOK_SECRETS_KEYS),
    allowLoopback: context.settings.WEBHOOKS_ALLOW_LOOPBACK === '1',
    owners: {
      catalog: client('catalog'),
      registration: client('registration'),
      commerce: client('commerce'),
      onsite: client('onsite'),
    },
  }),
  jobs: (deps) => [
    ...startSequencers(deps),
    startLineageWatch(deps),
    startWaking(deps),
    startCleanup(deps),
  ],
  onDrain: ({ waiting }) => waiting.drain(),
  routes(api, deps) {
    feedRoutes(api, deps);
    webhookRoutes(api, deps);
  },
  internalRoutes: webhookOperatorRoutes,
};
