import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookReplay,
} from '@event-api/contracts/http/webhook-endpoints';
import type { z } from 'zod';
import type { AttemptRow, EndpointRow } from './queries.ts';

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
export const deliveryView = ({ id: _id, ...row }: AttemptRow): z.input<typeof WebhookDelivery> => ({
  ...row,
  attemptedAt: row.attemptedAt.toISOString(),
});
