import type { Cell } from '@event-api/contracts/cells';
import {
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@event-api/contracts/http/webhook-endpoints';
import { viewOf } from '@event-api/platform/http/record-view';
import type { z } from 'zod';
import { headersOf, pingBody } from './message.ts';
import {
  type AttemptDetailRow,
  type AttemptRow,
  type EndpointRow,
  endpointColumns,
} from './webhooks.queries.ts';
import { attemptIdOf } from './webhooks.rules.ts';

const storedView = viewOf(WebhookEndpoint.omit({ replay: true }), endpointColumns);

/** The response body of an endpoint. */
export const endpointView = ({ replay, ...row }: EndpointRow): z.input<typeof WebhookEndpoint> => ({
  ...storedView(row),
  replay: replay && {
    id: replay.id,
    from: replay.fromSequence,
    to: replay.toSequence,
    createdAt: new Date(replay.createdAt).toISOString(),
  },
});

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
  { endpointId, cell }: { endpointId: string; cell: Cell },
  { url, cursor, entry, responseContentType, responseBody, ...attempt }: AttemptDetailRow,
): z.input<typeof WebhookDeliveryDetail> {
  const { changeId: id, sequence, attemptedAt: sentAt } = attempt;
  const body = sequence === null ? pingBody({ id, endpointId, sentAt }) : entry;
  return {
    ...deliveryView(attempt),
    request: { url, headers: headersOf({ id, sentAt, cursor, cell }), body },
    responseContentType,
    responseBody,
  };
}
