import { AuditEntry } from '@event-api/platform/audit/audit-entry.entity';
import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import { FeedChange, FeedHead, OwnerCursor, OwnerLineage } from './feed/feed.entity.ts';
import {
  WebhookAttempt,
  WebhookEndpoint,
  WebhookLane,
  WebhookReplay,
} from './webhooks/webhook.entity.ts';

/** The tables of changes and the folder of their migrations. */
export const changesOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'changes',
    entities: [
      OwnerCursor,
      OwnerLineage,
      FeedHead,
      FeedChange,
      WebhookEndpoint,
      WebhookLane,
      WebhookReplay,
      WebhookAttempt,
      IdempotencyKey,
      AuditEntry,
    ],
    migrations: new URL('./migrations', import.meta.url),
  });
