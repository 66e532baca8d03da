import type { DisabledReason } from '@event-api/contracts/http/webhook-endpoints';
import type { Tx } from '@event-api/platform/db/database';
import { type InferEntity, LockMode } from '@mikro-orm/core';
import { appendOwnChange } from '../feed/append.ts';
import { WebhookEndpoint, WebhookReplay } from './webhook.entity.ts';
import { type EndpointChanges, noPing } from './webhooks.rules.ts';

export type EndpointRecord = InferEntity<typeof WebhookEndpoint>;

/**
 * Writes changes of a locked endpoint. If they disable the endpoint, its replay ends. Locks: then
 * the end of the feed. Reports: `webhook_endpoint.disabled`.
 */
export async function writeEndpoint(
  tx: Tx,
  endpoint: EndpointRecord,
  changes: EndpointChanges,
  now: Date,
): Promise<void> {
  const previous = endpoint.status;
  tx.em.assign(endpoint, { ...changes, updatedAt: now });
  await tx.em.flush();
  if (endpoint.status !== 'disabled' || previous === 'disabled') return;
  await tx.em.nativeDelete(WebhookReplay, { endpointId: endpoint.id });
  await appendOwnChange(tx, {
    businessUnitId: endpoint.businessUnitId,
    type: 'webhook_endpoint.disabled',
    objectId: endpoint.id,
    version: endpoint.version,
    occurredAt: now,
    previous: { status: previous },
    current: { status: 'disabled' },
  });
}

/**
 * Disables an endpoint whose deliveries have failed. One that is disabled or does not exist stays
 * as it is. Returns whether it was disabled. Locks: the endpoint, then the end of the feed.
 * Reports: `webhook_endpoint.disabled`.
 */
export async function disableEndpoint(
  tx: Tx,
  { id, businessUnitId }: { id: string; businessUnitId: string },
  reason: DisabledReason,
  now: Date,
): Promise<boolean> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const endpoint = await tx.em.findOne(WebhookEndpoint, { id, businessUnitId }, lock);
  if (!endpoint || endpoint.status === 'disabled') return false;
  const changes = { ...noPing, status: 'disabled', disabledReason: reason } as const;
  await writeEndpoint(tx, endpoint, changes, now);
  return true;
}
