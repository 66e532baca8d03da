/** Money as a provider has taken it: minor units, upper-case ISO currency. */
export interface CapturedPayment {
  paymentId: string;
  amount: number;
  currency: string;
}

/** What a provider tells about a session of its payment page. */
export interface PaymentNotification {
  notificationId: string;
  kind: 'paid' | 'expired';
  sessionId: string;
  orderId: string | null;
  attemptId: string | null;
  /** Whether real money moved; null when the provider does not say. */
  livemode: boolean | null;
  payment: CapturedPayment | null;
}

/** What a session is asked for with. A repeat asks with the same, or it is a `conflict`. */
export interface CreateSessionInput {
  /** The provider's idempotency key: a repeat answers the same session. */
  attemptId: string;
  orderId: string;
  orderNumber: string;
  businessUnitId: string;
  eventId: string;
  amount: number;
  currency: string;
  email: string;
  title: string;
  successUrl: string;
  cancelUrl: string;
  /** When its hold ends, and with it the session, by `expireSession`. */
  expiresAt: Date;
}

export type CreateSessionResult =
  | { outcome: 'created'; sessionId: string; url: string }
  | { outcome: 'refused'; reason: string }
  /** The attempt has asked for something else before: what it got then cannot be had any more, and nobody has its URL. */
  | { outcome: 'conflict' };

export type ExpireSessionResult =
  | { outcome: 'expired' }
  | { outcome: 'paid'; payment: CapturedPayment };

export type VerifiedNotification =
  | { outcome: 'forged' }
  | { outcome: 'ignored'; notificationId: string }
  /** Signed by the provider and about a payment, but its fields cannot be read. */
  | { outcome: 'unreadable'; field: string; issue: string }
  | { outcome: 'payment'; notification: PaymentNotification };

/** An external payment provider. Nothing of it is called inside a transaction. */
export interface PaymentProvider {
  readonly name: 'stripe' | 'sandbox';
  /** Whether real money is expected to move: the setting `PAYMENT_LIVEMODE`. */
  readonly livemode: boolean;
  /** Idempotent by `attemptId`. Errors: 503 when the provider is away or slow. */
  createSession(input: CreateSessionInput): Promise<CreateSessionResult>;
  /**
   * Ends an open session so that it can no longer be paid, or returns the payment of one that is paid. A session that
   * the provider does not know counts as `expired`. Idempotent. Errors: 503.
   */
  expireSession(sessionId: string): Promise<ExpireSessionResult>;
  /** Errors: 503. */
  fetchSession(
    sessionId: string,
  ): Promise<
    | { outcome: 'open' }
    | { outcome: 'expired' }
    | { outcome: 'paid'; payment: CapturedPayment }
    | { outcome: 'unknown' }
  >;
  /** Judges the raw bytes of a notification by its signature. */
  verifyNotification(
    raw: Buffer,
    headers: Record<string, string | string[] | undefined>,
    now: Date,
  ): VerifiedNotification;
  /** Idempotent by `refundId`. Errors: 503. */
  refund(input: {
    refundId: string;
    paymentId: string;
    amount: number;
    currency: string;
  }): Promise<
    { outcome: 'done'; providerRefundId: string } | { outcome: 'failed'; reason: string }
  >;
}
