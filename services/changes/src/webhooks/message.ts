import type { Cell } from '@event-api/contracts/cells';

/** The headers of a request without its signature. The default cell is not named. */
export const headersOf = ({
  id,
  sentAt,
  cursor,
  cell,
}: {
  id: string;
  sentAt: Date;
  cursor: string;
  cell: Cell;
}): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'event-api-webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': String(timestampOf(sentAt)),
  'webhook-cursor': cursor,
  ...(cell !== null && { 'webhook-cell': cell }),
});

/** The time of a request in seconds, as it is sent and signed. */
export const timestampOf = (sentAt: Date): number => Math.floor(sentAt.getTime() / 1000);

/**
 * The body of a ping, as JSON text. A receiver needs no rule of its own for it: it has the fields
 * of a change.
 */
export const pingBody = (ping: { id: string; endpointId: string; sentAt: Date }): string =>
  JSON.stringify({
    id: ping.id,
    type: 'ping',
    occurredAt: ping.sentAt.toISOString(),
    object: { type: 'webhook_endpoint', id: ping.endpointId },
  });
