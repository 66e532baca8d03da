import type { Cell } from '@event-api/contracts/cells';
import type { Clock } from '@event-api/platform/core/clock';
import { reachStep } from '@event-api/platform/core/steps';
import { encodeCursor } from '../feed/cursor.ts';
import { headersOf, pingBody, timestampOf } from '../webhooks/message.ts';
import { type SigningKeys, sign } from '../webhooks/signing.ts';
import type { SendRequest } from './request.ts';
import type { HeldRow } from './webhook-delivery.queries.ts';
import type { Delivery, Response } from './webhook-delivery.rules.ts';

/** A delivery that has ended. `aborted`: its result is unknown, and it must be sent again. */
export interface Attempted {
  delivery: Delivery;
  response: Response | { outcome: 'aborted' };
  durationMs: number;
  attemptedAt: Date;
  /** What the request had besides the change. */
  url: string;
  cursor: string;
}

/** Sends one delivery of an endpoint. It never rejects. */
export async function deliver(
  { clock, cell, send }: { clock: Clock; cell: Cell; send: SendRequest },
  row: Pick<HeldRow, 'id' | 'url' | 'epoch' | 'watermark' | 'digest'>,
  keys: SigningKeys,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Attempted> {
  const attemptedAt = clock.now();
  const { id, body } = messageOf(row, delivery, attemptedAt);
  const { url, epoch, watermark, digest } = row;
  const cursor = encodeCursor({ epoch, sequence: watermark, digest });
  const timestamp = timestampOf(attemptedAt);
  reachStep('webhook.sending');
  const startedAt = performance.now();
  const response = await send({
    url,
    headers: {
      ...headersOf({ id, sentAt: attemptedAt, cursor, cell }),
      'webhook-signature': sign(body, { id, timestamp, ...keys }),
    },
    body,
    signal,
  });
  const durationMs = Math.round(performance.now() - startedAt);
  reachStep('webhook.responded');
  return { delivery, response, durationMs, attemptedAt, url, cursor };
}

/** The `webhook-id` and the body: of a change exactly the bytes of the feed. */
function messageOf(row: Pick<HeldRow, 'id'>, delivery: Delivery, sentAt: Date) {
  if (delivery.kind !== 'ping') return { id: delivery.change.id, body: delivery.change.entry };
  const { id } = delivery.ping;
  return { id, body: pingBody({ id, endpointId: row.id, sentAt }) };
}
