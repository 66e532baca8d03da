import type { Database } from '@event-api/platform/db/database';
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

export interface ChangesDeps extends FeedDeps {
  db: Database;
  waiting: Waiting;
}

/** The service that merges the changes of all services into one feed per business unit. */
export const changes: ServiceDefinition<ChangesSettings, ChangesDeps> = {
  name: 'changes',
  settings: config,
  orm: changesOrm,
  projections: [],
  setup: ({ client, ...context }) => ({
    ...context,
    waiting: createWaiting(),
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
  routes: feedRoutes,
  internalRoutes() {},
};
