import { signatureHeader } from '@event-api/contracts/payment-sandbox';
import { systemClock } from '@event-api/platform/core/clock';
import { sign } from '@event-api/platform/core/signature';
import { httpClient } from '@event-api/platform/testing/http-client';
import { once, untilDefinite } from '../environment/client.ts';
import type { DrillEnvironment } from '../environment/environment.ts';
import type { CreatedOrder } from '../environment/sales.ts';
import type { History } from '../history/history.ts';

/** Submits an order's payment page and records the payments that the provider captured. */
export async function payAt(
  history: History,
  order: Pick<CreatedOrder, 'id' | 'sessionUrl'>,
  how: string,
): Promise<void> {
  const page = new URL(order.sessionUrl ?? '');
  // The provider listens on 127.0.0.1 only, and the name may have another address, too.
  if (page.hostname === 'localhost') page.hostname = '127.0.0.1';
  const path = `${page.pathname}/${how}`;
  const request = {
    operation: how.split('?')[0] ?? '',
    owner: 'provider',
    method: 'POST',
    path,
  } as const;
  const seen = await untilDefinite(history, page.origin, request, order.id);
  const paymentId = (seen?.body as { paymentId?: string | null } | undefined)?.paymentId;
  if (paymentId) history.acknowledge({ kind: 'payment', id: paymentId, orderId: order.id });
}

/** Returns the provider's payment session of a payment page. Errors: no response. */
export async function sessionOf({ sandbox }: DrillEnvironment, url: string) {
  const headers = { authorization: `Bearer ${sandbox.secret}` };
  const send = httpClient(sandbox.url, headers, { timeoutMs: 5000 });
  return (await send('GET', `/sessions/${url.split('/').at(-1)}`)).body;
}

/** Sends one notification of a payment. Returns the status, or null without a response. */
export async function notify(
  history: History,
  { gatewayUrl, sandbox }: DrillEnvironment,
  notification: { id: string; session: object; secret?: string; at?: Date },
): Promise<number | null> {
  const { id, session, secret = sandbox.secret, at = systemClock.now() } = notification;
  const body = JSON.stringify({ id, type: 'session.paid', session });
  const seen = await once(history, gatewayUrl, {
    operation: 'notify',
    owner: 'commerce',
    method: 'POST',
    path: '/payments/notifications/sandbox',
    body,
    headers: { [signatureHeader]: sign(secret, at, Buffer.from(body)) },
  });
  return seen?.status ?? null;
}
