import type { ChangeOwner } from '@event-api/contracts/topology';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { NoticeBus } from '@event-api/platform/messaging/bus/connect';
import type { FeedMetrics } from './metrics.ts';

/** What the feed needs to follow the services. */
export interface FeedDeps {
  db: Database;
  bus: NoticeBus;
  log: Pick<Logger, 'warn' | 'error'>;
  owners: Record<ChangeOwner, ServiceClient>;
  feedMetrics: FeedMetrics;
}
