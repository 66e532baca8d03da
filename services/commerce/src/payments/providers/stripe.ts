import type { DisputeStatus } from '@event-api/contracts/http/orders';
import { unavailable } from '@event-api/platform/core/errors';
import Stripe from 'stripe';
import { timeouts } from '../../timeouts.ts';
import type {
  CapturedPayment,
  CreateSessionInput,
  PaymentNotification,
  PaymentProvider,
} from './provider.ts';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.rules.ts';
import { movementOf } from './stripe-movements.ts';

/** Stripe Checkout Sessions. Two webhook secrets may be valid during a rotation. */
export function createStripeProvider(options: {
  secretKey: string;
  webhookSecrets: readonly string[];
  livemode: boolean;
  /** Replaces Stripe's own host in tests. */
  apiUrl?: string | undefined;
  timeoutMs?: number;
  /** The account, as payments store it. */
  name?: string;
  /** Stripe's id of a connected account, on which the platform acts with its own key. */
  connectedId?: string;
}): PaymentProvider {
  const {
    secretKey,
    webhookSecrets,
    livemode,
    apiUrl,
    timeoutMs = timeouts.providerRequestMs,
    name = 'stripe',
    connectedId,
  } = options;
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    // With that of Node the next request fails after a server has switched protocols.
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 0,
    telemetry: false,
    ...(connectedId !== undefined && { stripeAccount: connectedId }),
    ...(apiUrl && hostOf(apiUrl)),
  });

  return {
    name,
    livemode,
    onAccount: ({ name, access }) =>
      createStripeProvider({
        ...{ ...options, name },
        ...(access.kind === 'key'
          ? { secretKey: access.secretKey, webhookSecrets: [access.webhookSecret] }
          : { connectedId: access.providerAccountId }),
      }),
    async verifyAccount() {
      if (/^[a-z]+_(live|test)_/.exec(secretKey)?.[1] !== (livemode ? 'live' : 'test')) {
        return {
          outcome: 'refused',
          message: `It is no key of ${livemode ? 'live' : 'test'} mode.`,
        };
      }
      try {
        const account = await stripe.accounts.retrieveCurrent();
        const missing = account.requirements?.currently_due ?? [];
        const canCharge = account.charges_enabled;
        return { outcome: 'verified', providerAccountId: account.id, canCharge, missing };
      } catch (error) {
        if (!isRejectedKey(error)) throw unavailable(error);
        const subject = connectedId === undefined ? 'key' : 'account';
        return { outcome: 'refused', message: `Stripe rejects the ${subject}.` };
      }
    },
    async createAccount(idempotencyKey) {
      try {
        const { id } = await stripe.accounts.create({ type: 'standard' }, { idempotencyKey });
        return { outcome: 'created', providerAccountId: id };
      } catch (error) {
        if (!isRejectedKey(error)) throw unavailable(error);
        const message = 'Stripe does not let the platform connect accounts.';
        return { outcome: 'refused', message };
      }
    },
    async onboardingUrl(account, returnUrl) {
      try {
        const urls = { refresh_url: returnUrl, return_url: returnUrl };
        const type = 'account_onboarding';
        return (await stripe.accountLinks.create({ account, type, ...urls })).url;
      } catch (error) {
        throw unavailable(error);
      }
    },
    async createSession(input) {
      const amount = toStripeAmount(input.amount, input.currency);
      if (amount === null) return { outcome: 'refused', reason: unsupportedAmount(input) };
      try {
        const fee = toStripeAmount(input.feeAmount, input.currency) ?? 0;
        const session = await stripe.checkout.sessions.create(sessionParams(input, amount, fee), {
          idempotencyKey: input.attemptId,
        });
        if (!session.url) return { outcome: 'refused', reason: 'the session has no URL' };
        return { outcome: 'created', sessionId: session.id, url: session.url };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeIdempotencyError) return { outcome: 'conflict' };
        const reason = refusalReason(error);
        if (reason) return { outcome: 'refused', reason };
        throw unavailable(error);
      }
    },
    async expireSession(sessionId) {
      try {
        await stripe.checkout.sessions.expire(sessionId);
        return { outcome: 'expired' };
      } catch (error) {
        if (!refusalReason(error)) throw unavailable(error);
        // The session was not open: it is paid, or has expired before.
        const now = await fetchSession(sessionId);
        if (now.outcome === 'paid') return now;
        if (now.outcome === 'open') throw unavailable(error);
        return { outcome: 'expired' };
      }
    },
    fetchSession,
    connectedAccountOf: (raw) => (JSON.parse(raw.toString()) as Stripe.Event).account ?? null,
    verifyNotification(raw, headers, now) {
      const header = headers['stripe-signature'];
      if (typeof header !== 'string') return { outcome: 'invalid_signature' };
      const event = signedEvent(raw, header, now);
      return event ? readEvent(event) : { outcome: 'invalid_signature' };
    },
    async refund({ refundId, idempotencyKey, paymentId, hasFee, ...input }) {
      const amount = toStripeAmount(input.amount, input.currency);
      if (amount === null) return { outcome: 'failed', reason: unsupportedAmount(input) };
      try {
        // A key lasts a day. After a restore, a refund that was sent before that is due again.
        const sent = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
        const done = sent.data.find(
          (each) => each.metadata?.refundId === refundId && failureOf(each) === null,
        );
        if (done) return { outcome: 'done', providerRefundId: done.id };
        const refund = await stripe.refunds.create(
          {
            ...{ payment_intent: paymentId, amount, metadata: { refundId } },
            ...(hasFee && { refund_application_fee: true }),
          },
          { idempotencyKey },
        );
        const failure = failureOf(refund);
        if (failure !== null) return { outcome: 'failed', reason: failure };
        return { outcome: 'done', providerRefundId: refund.id };
      } catch (error) {
        const reason = refusalReason(error);
        if (reason) return { outcome: 'failed', reason };
        throw unavailable(error);
      }
    },
    async listMovements({ from, before, after }) {
      try {
        const page = await stripe.balanceTransactions.list({
          created: { gte: secondsOf(from), lt: secondsOf(before) },
          limit: 100,
          expand: ['data.source'],
          ...(after !== null && { starting_after: after }),
        });
        return {
          movements: page.data.flatMap((transaction) => movementOf(transaction) ?? []),
          nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
        };
      } catch (error) {
        throw unavailable(error);
      }
    },
  };

  function signedEvent(raw: Buffer, header: string, now: Date): Stripe.Event | null {
    for (const secret of webhookSecrets) {
      try {
        const at = now.getTime();
        return stripe.webhooks.constructEvent(
          raw,
          header,
          secret,
          timeouts.signatureToleranceSeconds,
          undefined,
          at,
        );
      } catch {
        // Not signed with this secret.
      }
    }
    return null;
  }

  async function fetchSession(sessionId: string): ReturnType<PaymentProvider['fetchSession']> {
    try {
      const session = await stripe.checkout.sessions.retrieve(sessionId);
      const payment = paymentOf(session);
      if (payment) return { outcome: 'paid', payment };
      return { outcome: session.status === 'open' ? 'open' : 'expired' };
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) {
        return { outcome: 'unknown' };
      }
      throw unavailable(error);
    }
  }
}

/**
 * Depends on `input` only, not on the clock: Stripe rejects an idempotency key that is sent again
 * with other parameters.
 */
function sessionParams(
  input: CreateSessionInput,
  amount: number,
  fee: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { orderId: input.orderId, attemptId: input.attemptId };
  return {
    mode: 'payment',
    client_reference_id: input.orderId,
    customer_email: input.email,
    success_url: input.successUrl,
    cancel_url: input.cancelUrl,
    expires_at: Math.ceil(input.expiresAt.getTime() / 1000) + timeouts.stripeSessionExtraSeconds,
    metadata,
    payment_intent_data: {
      metadata,
      ...(fee > 0 && { application_fee_amount: fee }),
    },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: input.currency.toLowerCase(),
          unit_amount: amount,
          product_data: { name: `${input.title} · ${input.orderNumber}` },
        },
      },
    ],
  };
}

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);

function hostOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  };
}

/** The message of such an error may contain a part of the key. */
const isRejectedKey = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripePermissionError ||
  error instanceof Stripe.errors.StripeInvalidRequestError;

/** The reason of a permanent rejection by Stripe; null if a retry may succeed. */
function refusalReason(error: unknown): string | null {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return null;
  return error.code ?? 'refused';
}

const unsupportedAmount = ({ amount, currency }: { amount: number; currency: string }): string =>
  `Stripe does not accept an amount of ${amount} minor units in ${currency}`;

/**
 * The captured payment of a session. A session can be complete while its payment is still in
 * progress.
 * Errors: an amount that is not a whole number of minor units, which no session of this service
 * has.
 */
function paymentOf(session: Stripe.Checkout.Session): CapturedPayment | null {
  const { payment_status: status, payment_intent: intent, amount_total: total } = session;
  if (status !== 'paid' || total === null || session.currency === null) return null;
  const currency = session.currency.toUpperCase();
  const amount = fromStripeAmount(total, currency);
  if (amount === null) throw new Error(`unreadable amount of ${total} in ${currency}`);
  const paymentId = typeof intent === 'string' ? intent : (intent?.id ?? session.id);
  return { paymentId, amount, currency };
}

/** The payment of a session in an event, or why its amount cannot be read. */
function paymentOrIssue(
  session: Stripe.Checkout.Session,
): CapturedPayment | null | { issue: string } {
  try {
    return paymentOf(session);
  } catch (error) {
    return { issue: (error as Error).message };
  }
}

/**
 * A declined card. Stripe sends this event for every failed payment, also for one that fails later,
 * such as a bank debit. It names no session; the metadata of the payment intent name the attempt.
 */
function readDecline(event: Stripe.PaymentIntentPaymentFailedEvent) {
  const intent = event.data.object;
  const { charge } = intent.last_payment_error ?? {};
  const decline = {
    // A new charge for each card. An attempt that fails before a charge has none.
    declineId: charge ?? event.id,
    sessionId: null,
    attemptId: intent.metadata.attemptId ?? null,
    livemode: event.livemode ?? null,
    declinedAt: new Date(event.created * 1000),
  };
  return { outcome: 'declined', decline } as const;
}

/** Why a refund has failed; null for one that is made, or on its way to the buyer. */
const failureOf = ({ status, failure_reason: reason }: Stripe.Refund): string | null =>
  status === 'failed' || status === 'canceled' ? (reason ?? status) : null;

/** The payment that a refund or a dispute is of, and its money. */
function readMoney(event: Stripe.Event, of: Stripe.Refund | Stripe.Dispute) {
  const intent = of.payment_intent;
  const paymentId = typeof intent === 'string' ? intent : intent?.id;
  // Sessions have a payment intent: a bare charge is of another system.
  if (paymentId === undefined) return { outcome: 'ignored', notificationId: event.id } as const;
  const currency = of.currency.toUpperCase();
  const amount = fromStripeAmount(of.amount, currency);
  if (amount === null) {
    const issue = `is unreadable: ${of.amount} in ${currency}`;
    return { outcome: 'unreadable', field: 'amount', issue } as const;
  }
  return { outcome: 'read', paymentId, amount, currency } as const;
}

/** A refund that this platform has sent names its own id in its metadata. */
function readRefund(event: Stripe.Event): ReturnType<PaymentProvider['verifyNotification']> {
  const refund = event.data.object as Stripe.Refund;
  const money = readMoney(event, refund);
  if (money.outcome !== 'read') return money;
  const { paymentId, amount, currency } = money;
  const { id: providerRefundId, metadata } = refund;
  const failure = failureOf(refund);
  return {
    outcome: 'refund',
    refund: {
      ...{ providerRefundId, paymentId, amount, currency, failure },
      refundId: metadata?.refundId ?? null,
      livemode: event.livemode ?? null,
      state: failure === null ? 'done' : 'failed',
    },
  };
}

// A warning is an inquiry of the bank. An appeal follows a lost dispute, whose money stays away.
const disputeStatusOf: Record<string, DisputeStatus> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  prevented: 'won',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
};

/** The dispute as it was when the event happened. */
function readDispute(event: Stripe.Event): ReturnType<PaymentProvider['verifyNotification']> {
  const dispute = event.data.object as Stripe.Dispute;
  const money = readMoney(event, dispute);
  if (money.outcome !== 'read') return money;
  const { paymentId, amount, currency } = money;
  const { id: disputeId, reason } = dispute;
  const status = disputeStatusOf[dispute.status];
  if (status === undefined) {
    return { outcome: 'unreadable', field: 'status', issue: `is unknown: ${dispute.status}` };
  }
  const dueBy = dispute.evidence_details?.due_by ?? null;
  return {
    outcome: 'dispute',
    dispute: {
      ...{ disputeId, paymentId, amount, currency, status, reason },
      livemode: event.livemode ?? null,
      respondBy: dueBy === null ? null : new Date(dueBy * 1000),
      createdAt: new Date(dispute.created * 1000),
      reportedAt: new Date(event.created * 1000),
    },
  };
}

const refundEventTypes = ['refund.created', 'refund.updated', 'refund.failed'];
const accountEventTypes = ['account.updated', 'account.application.deauthorized'];
const paidEventTypes = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];

function readEvent(event: Stripe.Event): ReturnType<PaymentProvider['verifyNotification']> {
  if (event.type === 'payment_intent.payment_failed') return readDecline(event);
  if (refundEventTypes.includes(event.type)) return readRefund(event);
  if (event.type.startsWith('charge.dispute.')) return readDispute(event);
  if (accountEventTypes.includes(event.type)) return { outcome: 'account_changed' };
  const isExpired = event.type === 'checkout.session.expired';
  if (!isExpired && !paidEventTypes.includes(event.type))
    return { outcome: 'ignored', notificationId: event.id };
  const session = event.data.object as Stripe.Checkout.Session;
  const payment = isExpired ? null : paymentOrIssue(session);
  if (payment && 'issue' in payment)
    return { outcome: 'unreadable', field: 'amount_total', ...payment };
  if (!isExpired && !payment) return { outcome: 'ignored', notificationId: event.id };
  const notification: PaymentNotification = {
    notificationId: event.id,
    kind: isExpired ? 'expired' : 'paid',
    sessionId: session.id,
    orderId: session.metadata?.orderId ?? session.client_reference_id,
    attemptId: session.metadata?.attemptId ?? null,
    livemode: event.livemode ?? null,
    payment,
  };
  return { outcome: 'payment', notification };
}
