import { isSigned, signatureHeader } from '@event-api/payment-sandbox/signature';
import { unavailable } from '@event-api/platform/errors';
import { z } from 'zod';
import type { Payment, PaymentProvider } from './provider.ts';

const toleranceSeconds = 300;

const Session = z.object({
  id: z.string(),
  url: z.string(),
  state: z.enum(['open', 'paid', 'expired']),
  paymentId: z.string().nullable(),
  receivedAmount: z.int().nullable(),
  receivedCurrency: z.string().nullable(),
});

const Notification = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  session: z.object({
    id: z.string().max(200),
    attemptId: z.string().max(200),
    orderId: z.string().max(200),
    paymentId: z.string().max(200),
    amount: z.int().min(0),
    currency: z.string().max(10),
  }),
});

/** The payment sandbox of this project. `secrets[0]` asks; each of them may have signed a notification. */
export function createSandboxProvider(options: {
  url: string;
  secrets: readonly string[];
  timeoutMs?: number;
}): PaymentProvider {
  const { url, secrets, timeoutMs = 5000 } = options;

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    try {
      return await fetch(new URL(path, url), {
        method,
        headers: {
          authorization: `Bearer ${secrets[0]}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function read<Type>(response: Response, schema: z.ZodType<Type>): Promise<Type> {
    try {
      if (!response.ok) throw new Error(`the payment sandbox answered ${response.status}`);
      return schema.parse(await response.json());
    } catch (error) {
      throw unavailable(error);
    }
  }

  const sessionPath = (id: string) => `/sessions/${encodeURIComponent(id)}`;

  return {
    name: 'sandbox',
    async createSession({ expiresAt, businessUnitId: _, eventId: __, ...asked }) {
      const body = { ...asked, expiresAt: expiresAt.toISOString() };
      const response = await ask('POST', '/sessions', body);
      if (response.status === 400) {
        await response.body?.cancel();
        return { outcome: 'refused', reason: 'the payment sandbox takes no such payment' };
      }
      const session = await read(response, Session);
      return { outcome: 'created', sessionId: session.id, url: session.url };
    },
    async expireSession(sessionId) {
      const session = await read(await ask('POST', `${sessionPath(sessionId)}/expire`), Session);
      const payment = paymentOf(session);
      return payment ? { outcome: 'paid', payment } : { outcome: 'expired' };
    },
    async fetchSession(sessionId) {
      const response = await ask('GET', sessionPath(sessionId));
      if (response.status === 404) {
        await response.body?.cancel();
        return { outcome: 'unknown' };
      }
      const session = await read(response, Session);
      const payment = paymentOf(session);
      if (payment) return { outcome: 'paid', payment };
      return { outcome: session.state === 'open' ? 'open' : 'expired' };
    },
    verifyNotification(raw, headers, now) {
      const given = headers[signatureHeader];
      const header = typeof given === 'string' ? given : undefined;
      if (!isSigned({ secrets, header, body: raw, now, toleranceSeconds })) {
        return { outcome: 'forged' };
      }
      return readNotification(raw);
    },
    async refund({ refundId, paymentId, amount }) {
      const response = await ask('POST', '/refunds', { refundId, paymentId, amount });
      if (response.status === 412 || response.status === 404) {
        await response.body?.cancel();
        return { outcome: 'failed', reason: 'the payment sandbox has no such money' };
      }
      const { id } = await read(response, z.object({ id: z.string() }));
      return { outcome: 'done', providerRefundId: id };
    },
  };
}

function paymentOf(session: z.infer<typeof Session>): Payment | null {
  const { state, paymentId, receivedAmount, receivedCurrency } = session;
  if (state !== 'paid' || !paymentId || receivedAmount === null || !receivedCurrency) return null;
  return { paymentId, amount: receivedAmount, currency: receivedCurrency };
}

/** Signed, but nothing that anything follows from, is ignored and not refused: it would come again. */
function readNotification(raw: Buffer): ReturnType<PaymentProvider['verifyNotification']> {
  let json: unknown;
  try {
    json = JSON.parse(raw.toString());
  } catch {
    return { outcome: 'forged' };
  }
  const parsed = Notification.safeParse(json);
  if (!parsed.success || parsed.data.type !== 'session.paid') {
    return { outcome: 'ignored', eventId: parsed.data?.id ?? '' };
  }
  const { id: eventId, session } = parsed.data;
  const { paymentId, amount, currency } = session;
  return {
    outcome: 'payment',
    notification: {
      eventId,
      kind: 'paid',
      sessionId: session.id,
      orderId: session.orderId,
      attemptId: session.attemptId,
      payment: { paymentId, amount, currency },
    },
  };
}
