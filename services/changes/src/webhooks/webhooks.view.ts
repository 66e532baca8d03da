import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookReplay,
} from '@event-api/contracts/http/webhook-endpoints';
import type { z } from 'zod';
import { headersOf, pingBody } from './message.ts';
import type { AttemptDetailRow, AttemptRow, EndpointRow } from './webhooks.queries.ts';
import { attemptIdOf } from './webhooks.rules.ts';

/** The response body of an endpoint. */
export const endpointView = (row: EndpointRow): z.input<typeof WebhookEndpoint> => ({
  id: row.id,
  url: row.url,
  types: row.types,
  status: row.status,
  disabledReason: row.disabledReason,
  publicKey: row.publicKey,
  watermark: row.watermark,
  failingSince: row.failingSince?.toISOString() ?? null,
  replay: replayOf(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

function replayOf(row: EndpointRow): z.input<typeof WebhookReplay> | null {
  const { replayId: id, replayFrom: from, replayTo: to, replayCreatedAt: createdAt } = row;
  if (id === null || from === null || to === null || createdAt === null) return null;
  return { id, from, to, createdAt: createdAt.toISOString() };
}

/** The response body of an attempt. */
export const deliveryView = (row: AttemptRow): z.input<typeof WebhookDelivery> => ({
  ...row,
  id: attemptIdOf(row.id),
  attemptedAt: row.attemptedAt.toISOString(),
});

/**
 * The response body of an attempt with its request and its response. A ping is not in the feed, but
 * always the same text.
 */
export function deliveryDetailView(
  endpointId: string,
  { url, cursor, entry, responseContentType, responseBody, ...attempt }: AttemptDetailRow,
): z.input<typeof WebhookDeliveryDetail> {
  const { changeId: id, sequence, attemptedAt: sentAt } = attempt;
  const body = sequence === null ? pingBody({ id, endpointId, sentAt }) : entry;
  return {
    ...deliveryView(attempt),
    request: { url, headers: headersOf({ id, sentAt, cursor }), body },
    responseContentType,
    responseBody,
  };
}
