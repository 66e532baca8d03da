/** The body of a ping, as JSON text. A receiver needs no rule of its own for it: it has the fields of a change. */
export const pingBody = (ping: { id: string; endpointId: string; sentAt: Date }): string =>
  JSON.stringify({
    id: ping.id,
    type: 'ping',
    occurredAt: ping.sentAt.toISOString(),
    object: { type: 'webhook_endpoint', id: ping.endpointId },
  });
