import { randomBytes } from 'node:crypto';
import { signatureHeader } from '@event-api/contracts/payment-sandbox';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { pause } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { sign } from '@event-api/platform/core/signature';
import type { Dispute, Refund, Session } from './sessions.ts';
import { timeouts } from './timeouts.ts';

/** Types of notifications. Only `session.paid` means that money was received. */
export type NotificationType = 'session.paid' | 'session.declined' | 'session.expired';

/** Types of notifications about a refund. */
export type RefundNotificationType = 'refund.created' | 'refund.failed';

/** Types of notifications about a dispute. */
export type DisputeNotificationType = 'dispute.created' | 'dispute.updated' | 'dispute.closed';

/** The body of a notification. */
export type Notification = ReturnType<
  | typeof sessionNotification
  | typeof refundNotification
  | typeof disputeNotification
  | typeof accountNotification
>;

/** The account that a notification is about, and the payment attempt for the log. */
export type Subject = Pick<Session, 'accountKey' | 'connected' | 'businessUnitId' | 'attemptId'>;

export interface Notifier {
  /**
   * Notifies the platform about a session or an account after `delayMs`. Each notification is retried until the
   * response is a 2xx. Within a series the next notification waits for that; separate series do not
   * wait for each other.
   */
  notify(subject: Subject, series: readonly (readonly Notification[])[], delayMs: number): void;
  close(): Promise<void>;
}

export function createNotifier(options: {
  url: string;
  secrets: readonly string[];
  now: () => Date;
  log: Logger;
}): Notifier {
  const { url, secrets, now, log } = options;
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;

  /** Returns null if the platform accepted the notification, otherwise the reason. */
  async function send(subject: Subject, body: Buffer): Promise<string | null> {
    const { accountKey, businessUnitId } = subject;
    const path = accountKey && businessUnitId ? `/${encodeURIComponent(businessUnitId)}` : '';
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Signed for each attempt, so that the signature of a retry has not expired.
          [signatureHeader]: sign(accountKey ?? secrets[0] ?? '', now(), body),
        },
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(timeouts.notificationMs),
        redirect: 'error',
      });
      await response.body?.cancel();
      return response.ok ? null : `the platform responded ${response.status}`;
    } catch (error) {
      return safeMessageWithCauses(error);
    }
  }

  /** Returns whether the platform responded with a 2xx in the end. */
  async function deliver(subject: Subject, notification: Notification): Promise<boolean> {
    const { connected: account } = subject;
    const body = Buffer.from(JSON.stringify({ ...notification, ...(account && { account }) }));
    let reason: string | null = null;
    for (let attempt = 1; attempt <= timeouts.notificationAttempts && !signal.aborted; attempt++) {
      reason = await send(subject, body);
      if (reason === null) return true;
      const { notificationMinBackoffMs, notificationMaxBackoffMs } = timeouts;
      await pause(
        Math.min(notificationMaxBackoffMs, notificationMinBackoffMs * 2 ** (attempt - 1)),
        signal,
      );
    }
    // Do not log the session id: it is enough to open the payment page.
    if (!signal.aborted)
      log.error(
        { attemptId: subject.attemptId, reason },
        'failed to deliver notification, attempts exhausted',
      );
    return false;
  }

  async function deliverAll(subject: Subject, series: readonly Notification[], delayMs: number) {
    if (delayMs > 0) await pause(delayMs, signal);
    for (const notification of series) if (!(await deliver(subject, notification))) return;
  }

  return {
    notify(subject, series, delayMs) {
      for (const notifications of series) {
        const delivery = deliverAll(subject, notifications, delayMs).finally(() =>
          running.delete(delivery),
        );
        running.add(delivery);
      }
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

export const sessionNotification = (session: Session, type: NotificationType) => ({
  id: freshId('evt'),
  type,
  livemode: false,
  session: {
    id: session.id,
    attemptId: session.attemptId,
    orderId: session.orderId,
    ...paymentOf(session, type),
  },
});

/** `refundId` is the id under which the platform has requested it, or null. */
export const refundNotification = (
  { receivedCurrency: currency }: Session,
  { id, refundId, paymentId, amount }: Refund,
  type: RefundNotificationType,
) => ({
  id: freshId('evt'),
  type,
  livemode: false,
  refund: {
    ...{ id, refundId, paymentId, amount, currency },
    ...(type === 'refund.failed'
      ? { state: 'failed', failure: 'the account of the buyer is closed' }
      : { state: 'done', failure: null }),
  },
});

/** What a dispute is at `at`. */
export const disputeNotification = (
  { receivedCurrency: currency }: Session,
  dispute: Dispute,
  at: Date,
) => ({
  id: freshId('evt'),
  type: typeOfDispute(dispute),
  livemode: false,
  at: at.toISOString(),
  dispute: { ...dispute, currency, reason: 'fraudulent' },
});

/** An account can be charged now, or not any more. The platform asks which. */
export const accountNotification = () => ({
  id: freshId('evt'),
  type: 'account.updated',
  livemode: false,
});

function typeOfDispute({ status }: Dispute): DisputeNotificationType {
  if (status === 'won' || status === 'lost') return 'dispute.closed';
  return status === 'under_review' ? 'dispute.updated' : 'dispute.created';
}

function paymentOf(session: Session, type: NotificationType) {
  const { paymentId, amount, currency, receivedAmount, receivedCurrency } = session;
  switch (type) {
    case 'session.paid':
      return { paymentId, amount: receivedAmount, currency: receivedCurrency };
    case 'session.declined':
      // A payment with another card, which received no money.
      return { paymentId: freshId('pi'), amount, currency };
    case 'session.expired':
      return { paymentId: null, amount: null, currency: null };
  }
}

const freshId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
