import { disputeStatuses } from '@event-api/contracts/http/orders';
import { movementKinds } from '@event-api/contracts/operator/ledger';
import { connectedAccountHeader, signatureHeader } from '@event-api/contracts/payment-sandbox';
import { unavailable } from '@event-api/platform/core/errors';
import { verify } from '@event-api/platform/core/signature';
import { z } from 'zod';
import { timeouts } from '../../timeouts.ts';
import type { CapturedPayment, PaymentProvider, UnitAccount } from './provider.ts';

const Session = z.object({
  id: z.string(),
  url: z.string(),
  state: z.enum(['open', 'paid', 'expired']),
  paymentId: z.string().nullable(),
  receivedAmount: z.int().nullable(),
  receivedCurrency: z.string().nullable(),
});

const Account = z.object({ id: z.string(), canCharge: z.boolean(), missing: z.array(z.string()) });

const Transactions = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      type: z.enum(movementKinds),
      objectId: z.string(),
      paymentId: z.string(),
      attemptId: z.string(),
      amount: z.int(),
      currency: z.string(),
      createdAt: z.coerce.date(),
    }),
  ),
  hasMore: z.boolean(),
});

const Notification = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  livemode: z.boolean().default(false),
  session: z.object({
    id: z.string().max(200),
    attemptId: z.string().max(200),
    orderId: z.string().max(200),
    paymentId: z.string().max(200),
    amount: z.int().min(0),
    currency: z.string().max(10),
  }),
});

const RefundNotification = z.object({
  livemode: z.boolean().default(false),
  refund: z.object({
    id: z.string().min(1).max(200),
    refundId: z.string().max(200).nullable(),
    paymentId: z.string().max(200),
    amount: z.int().min(1),
    currency: z.string().max(10),
    state: z.enum(['done', 'failed']),
    failure: z.string().max(500).nullable(),
  }),
});

const DisputeNotification = z.object({
  livemode: z.boolean().default(false),
  at: z.coerce.date(),
  dispute: z.object({
    id: z.string().min(1).max(200),
    paymentId: z.string().max(200),
    amount: z.int().min(1),
    currency: z.string().max(10),
    status: z.enum(disputeStatuses),
    reason: z.string().max(200).nullable(),
    respondBy: z.coerce.date().nullable(),
    createdAt: z.coerce.date(),
  }),
});

/** The fields that every notification has. */
const Typed = z.object({ id: z.string().catch(''), type: z.string() });

const Connected = z.object({ account: z.string().nullish() });

/**
 * The payment sandbox of this project. `secrets[0]` authorizes requests; any of the secrets may
 * sign a notification.
 */
export function createSandboxProvider(options: {
  url: string;
  secrets: readonly string[];
  timeoutMs?: number;
  /** An account of a business unit instead of that of the platform. */
  account?: UnitAccount;
}): PaymentProvider {
  const { url, timeoutMs = timeouts.providerRequestMs, account } = options;
  const access = account?.access;
  const secrets = access?.kind === 'key' ? [access.secretKey] : options.secrets;
  const signingSecrets = access?.kind === 'key' ? [access.webhookSecret] : options.secrets;

  async function request(method: string, path: string, body?: unknown): Promise<Response> {
    try {
      return await fetch(new URL(path, url), {
        method,
        headers: {
          authorization: `Bearer ${secrets[0]}`,
          ...(access?.kind === 'connected' && {
            [connectedAccountHeader]: access.providerAccountId,
          }),
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
      if (!response.ok) throw new Error(`the payment sandbox responded ${response.status}`);
      return schema.parse(await response.json());
    } catch (error) {
      throw unavailable(error);
    }
  }

  const sessionPath = (id: string) => `/sessions/${encodeURIComponent(id)}`;

  return {
    name: account?.name ?? 'sandbox',
    livemode: false,
    onAccount: (own) => createSandboxProvider({ ...options, account: own }),
    async verifyAccount() {
      const response = await request('GET', '/account');
      if (response.status === 401 || response.status === 404) {
        await response.body?.cancel();
        const subject = response.status === 401 ? 'key' : 'account';
        return { outcome: 'refused', message: `The payment sandbox rejects the ${subject}.` };
      }
      const { id, ...state } = await read(response, Account);
      return { outcome: 'verified', providerAccountId: id, ...state };
    },
    async createAccount(idempotencyKey) {
      const response = await request('POST', '/accounts', { idempotencyKey });
      const { id } = await read(response, Account);
      return { outcome: 'created', providerAccountId: id };
    },
    async onboardingUrl(id, returnUrl) {
      const path = `/accounts/${encodeURIComponent(id)}/links`;
      const response = await request('POST', path, { returnUrl });
      return (await read(response, z.object({ url: z.string() }))).url;
    },
    connectedAccountOf: (raw) =>
      Connected.safeParse(JSON.parse(raw.toString())).data?.account ?? null,
    async createSession({ expiresAt, businessUnitId, eventId: _, ...input }) {
      const notifies = access?.kind === 'key' && { businessUnitId };
      const body = { ...input, ...notifies, expiresAt: expiresAt.toISOString() };
      const response = await request('POST', '/sessions', body);
      if (response.status === 400) {
        await response.body?.cancel();
        return { outcome: 'refused', reason: 'the payment sandbox rejects the payment' };
      }
      const session = await read(response, Session);
      return { outcome: 'created', sessionId: session.id, url: session.url };
    },
    async expireSession(sessionId) {
      const response = await request('POST', `${sessionPath(sessionId)}/expire`);
      if (response.status === 404) {
        await response.body?.cancel();
        return { outcome: 'expired' };
      }
      const session = await read(response, Session);
      const payment = paymentOf(session);
      return payment ? { outcome: 'paid', payment } : { outcome: 'expired' };
    },
    async fetchSession(sessionId) {
      const response = await request('GET', sessionPath(sessionId));
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
      const signature = headers[signatureHeader];
      const header = typeof signature === 'string' ? signature : undefined;
      if (
        !verify({
          secrets: signingSecrets,
          header,
          body: raw,
          now,
          toleranceSeconds: timeouts.signatureToleranceSeconds,
        })
      ) {
        return { outcome: 'invalid_signature' };
      }
      return readNotification(raw);
    },
    async refund({ currency: _, hasFee: __, ...input }) {
      const response = await request('POST', '/refunds', input);
      if (response.status === 412 || response.status === 404) {
        await response.body?.cancel();
        return { outcome: 'failed', reason: 'the payment sandbox rejects the refund' };
      }
      const { id } = await read(response, z.object({ id: z.string() }));
      return { outcome: 'done', providerRefundId: id };
    },
    async listMovements({ from, before, after }) {
      const query = new URLSearchParams({
        ...{ from: from.toISOString(), before: before.toISOString() },
        ...(after !== null && { after }),
      });
      const response = await request('GET', `/balance-transactions?${query}`);
      const { items, hasMore } = await read(response, Transactions);
      const movements = items.map(({ type: kind, createdAt: movedAt, id: _, ...moved }) => ({
        ...{ kind, movedAt },
        ...moved,
      }));
      return { movements, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null };
    },
  };
}

function paymentOf(session: z.infer<typeof Session>): CapturedPayment | null {
  const { state, paymentId, receivedAmount, receivedCurrency } = session;
  if (state !== 'paid' || !paymentId || receivedAmount === null || !receivedCurrency) return null;
  return { paymentId, amount: receivedAmount, currency: receivedCurrency };
}

const notifiedTypes = ['session.paid', 'session.declined'];

const refundTypes = ['refund.created', 'refund.failed'];

const disputeTypes = ['dispute.created', 'dispute.updated', 'dispute.closed'];

const unreadable = ({ issues: [first] }: z.ZodError) =>
  ({
    outcome: 'unreadable',
    field: first?.path.join('.') ?? '',
    issue: 'is not valid',
  }) as const;

function readDispute(json: unknown): ReturnType<PaymentProvider['verifyNotification']> {
  const parsed = DisputeNotification.safeParse(json);
  if (!parsed.success) return unreadable(parsed.error);
  const { livemode, at: reportedAt, dispute } = parsed.data;
  const { id: disputeId, ...fields } = dispute;
  return { outcome: 'dispute', dispute: { ...fields, disputeId, livemode, reportedAt } };
}

/** Money has moved, so that unreadable fields are not ignored. */
function readRefund(json: unknown): ReturnType<PaymentProvider['verifyNotification']> {
  const parsed = RefundNotification.safeParse(json);
  if (!parsed.success) return unreadable(parsed.error);
  const { livemode, refund } = parsed.data;
  const { id: providerRefundId, ...fields } = refund;
  return { outcome: 'refund', refund: { ...fields, providerRefundId, livemode } };
}

/**
 * A notification that is not about a payment is ignored, because a rejection would make the
 * provider send it again. A payment with unreadable fields is not ignored: money has moved.
 */
function readNotification(raw: Buffer): ReturnType<PaymentProvider['verifyNotification']> {
  let json: unknown;
  try {
    json = JSON.parse(raw.toString());
  } catch {
    return { outcome: 'invalid_signature' };
  }
  const typed = Typed.safeParse(json);
  if (typed.success && refundTypes.includes(typed.data.type)) return readRefund(json);
  if (typed.success && disputeTypes.includes(typed.data.type)) return readDispute(json);
  if (typed.data?.type === 'account.updated') return { outcome: 'account_changed' };
  if (!typed.success || !notifiedTypes.includes(typed.data.type)) {
    return { outcome: 'ignored', notificationId: typed.data?.id ?? '' };
  }
  const parsed = Notification.safeParse(json);
  if (!parsed.success && typed.data.type !== 'session.paid') {
    return { outcome: 'ignored', notificationId: typed.data.id };
  }
  if (!parsed.success) return unreadable(parsed.error);
  const { id: notificationId, livemode, session } = parsed.data;
  const { paymentId, amount, currency } = session;
  if (typed.data.type === 'session.declined') {
    const { id: sessionId, attemptId } = session;
    const decline = { declineId: paymentId, sessionId, attemptId, livemode, declinedAt: null };
    return { outcome: 'declined', decline };
  }
  return {
    outcome: 'payment',
    notification: {
      notificationId,
      kind: 'paid',
      sessionId: session.id,
      orderId: session.orderId,
      attemptId: session.attemptId,
      livemode,
      payment: { paymentId, amount, currency },
    },
  };
}
