import type { DisputeStatus } from '@event-api/contracts/http/orders';
import type { MovementKind } from '@event-api/contracts/operator/ledger';

/** A payment that a provider has collected: minor units, upper-case ISO 4217 currency. */
export interface CapturedPayment {
  paymentId: string;
  amount: number;
  currency: string;
}

/** A provider's notification about a session of its payment page. */
export interface PaymentNotification {
  notificationId: string;
  kind: 'paid' | 'expired';
  sessionId: string;
  orderId: string | null;
  attemptId: string | null;
  /** Whether real money moved; null if the provider does not say. */
  livemode: boolean | null;
  payment: CapturedPayment | null;
}

/** A provider's notification about a card that it declined. No money moved. */
export interface PaymentDecline {
  /** The provider's id of the declined payment, the same in every notification about it. */
  declineId: string;
  /** Null if the provider names only the attempt. */
  sessionId: string | null;
  attemptId: string | null;
  /** Whether a real card was declined; null if the provider does not say. */
  livemode: boolean | null;
  /** Null if the provider does not say. */
  declinedAt: Date | null;
}

/** A provider's notification about a refund, made by this platform or at the provider. */
export interface ReportedRefund {
  /** The provider's id of the refund, the same in every notification about it. */
  providerRefundId: string;
  paymentId: string;
  /** The id under which this platform has sent it; null for a refund made at the provider. */
  refundId: string | null;
  amount: number;
  currency: string;
  /** Whether real money moves; null if the provider does not say. */
  livemode: boolean | null;
  /** A refund can fail after it was `done`, but not the other way round. */
  state: 'done' | 'failed';
  failure: string | null;
}

/** A provider's notification about a dispute: what it says at one moment. */
export interface ReportedDispute {
  /** The provider's id of the dispute, the same in every notification about it. */
  disputeId: string;
  paymentId: string;
  amount: number;
  currency: string;
  /** Whether real money moves; null if the provider does not say. */
  livemode: boolean | null;
  status: DisputeStatus;
  reason: string | null;
  /** Until when it can be answered. */
  respondBy: Date | null;
  createdAt: Date;
  /** When the provider has reported this, by its clock. */
  reportedAt: Date;
}

/**
 * Parameters of a session. A retry must send identical ones, otherwise the result is a `conflict`.
 */
export interface CreateSessionInput {
  /** The provider's idempotency key: a retry returns the same session. */
  attemptId: string;
  orderId: string;
  orderNumber: string;
  businessUnitId: string;
  eventId: string;
  amount: number;
  /** What the provider takes of it for the platform; 0 unless the account is connected. */
  feeAmount: number;
  currency: string;
  email: string;
  title: string;
  successUrl: string;
  cancelUrl: string;
  /** When the hold of the order expires. `expireSession` then expires the session. */
  expiresAt: Date;
}

export type CreateSessionResult =
  | { outcome: 'created'; sessionId: string; url: string }
  | { outcome: 'refused'; reason: string }
  /**
   * The attempt was sent earlier with other parameters. Its session cannot be read any more, and no
   * buyer has its URL.
   */
  | { outcome: 'conflict' };

export type ExpireSessionResult =
  | { outcome: 'expired' }
  | { outcome: 'paid'; payment: CapturedPayment };

export type VerifiedNotification =
  | { outcome: 'invalid_signature' }
  | { outcome: 'ignored'; notificationId: string }
  /** Signed by the provider and about a payment, a refund or a dispute, but with unreadable fields. */
  | { outcome: 'unreadable'; field: string; issue: string }
  | { outcome: 'payment'; notification: PaymentNotification }
  | { outcome: 'declined'; decline: PaymentDecline }
  | { outcome: 'refund'; refund: ReportedRefund }
  | { outcome: 'dispute'; dispute: ReportedDispute }
  /** The account that reports it can be charged now, or not any more: ask the provider which. */
  | { outcome: 'account_changed' };

/** What the provider has moved on an account for a buyer, in the currency of the buyer. */
export interface ProviderMovement {
  kind: MovementKind;
  /** The provider's id of the payment, the refund or the dispute. */
  objectId: string;
  /** The payment that it is of. */
  paymentId: string | null;
  /** The attempt that a charge names; null for a charge of another system. */
  attemptId: string | null;
  amount: number;
  currency: string;
  movedAt: Date;
}

/** An account of a business unit. */
export interface UnitAccount {
  /** What `name` of its provider is. */
  name: string;
  businessUnitId: string;
  access: AccountAccess;
}

/** How the platform acts on an account of a unit. */
export type AccountAccess =
  /** With the secret key of the account. `webhookSecret` signs its notifications. */
  | { kind: 'key'; secretKey: string; webhookSecret: string }
  /** With the key of the platform, to which the account is connected. */
  | { kind: 'connected'; providerAccountId: string };

export type CreateAccountResult =
  | { outcome: 'created'; providerAccountId: string }
  /** The platform may not create accounts. `message` is in the words of the provider. */
  | { outcome: 'refused'; message: string };

/** What the provider says about an account. `missing` is in the words of the provider. */
export type AccountVerification =
  | { outcome: 'verified'; providerAccountId: string; canCharge: boolean; missing: string[] }
  | { outcome: 'refused'; message: string };

/** An external payment provider, on one account. Never call it inside a transaction. */
export interface PaymentProvider {
  /** `stripe` or `sandbox` on the account of the platform; payments store it. */
  readonly name: string;
  /** Whether real money is expected to move: the setting `PAYMENT_LIVEMODE`. */
  readonly livemode: boolean;
  /** The same provider on an account of a business unit. */
  onAccount(account: UnitAccount): PaymentProvider;
  /** Asks which account it acts on, and what that needs. Errors: 503. */
  verifyAccount(): Promise<AccountVerification>;
  /** Creates an account that is connected to the platform. Idempotent by `idempotencyKey` for a day. Errors: 503. */
  createAccount(idempotencyKey: string): Promise<CreateAccountResult>;
  /**
   * The page on which the owner of a connected account enters what the provider needs. It expires
   * within minutes. Errors: 503.
   */
  onboardingUrl(providerAccountId: string, returnUrl: string): Promise<string>;
  /** Idempotent by `attemptId`. Errors: 503 if the provider is unavailable or slow. */
  createSession(input: CreateSessionInput): Promise<CreateSessionResult>;
  /**
   * Expires an open session so that it can no longer be paid, or returns the payment of a paid one.
   * A session that the provider does not know counts as `expired`. Idempotent. Errors: 503.
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
  /** The connected account that has caused a notification whose signature is verified; null without one. */
  connectedAccountOf(raw: Buffer): string | null;
  /** Verifies the signature over the raw bytes of a notification and parses it. */
  verifyNotification(
    raw: Buffer,
    headers: Record<string, string | string[] | undefined>,
    now: Date,
  ): VerifiedNotification;
  /**
   * Idempotent by `idempotencyKey`. The provider reports the refund with `refundId`. Errors: 503.
   */
  refund(input: {
    refundId: string;
    idempotencyKey: string;
    paymentId: string;
    amount: number;
    currency: string;
    /** Whether the payment has a fee of the platform, of which the refund returns its share. */
    hasFee: boolean;
  }): Promise<
    { outcome: 'done'; providerRefundId: string } | { outcome: 'failed'; reason: string }
  >;
  /**
   * A page of what the account has moved for buyers in a period, newest first. Fees, payouts and
   * transfers are left out, so a page can be empty. `after` is the cursor of the former page.
   * Errors: 503.
   */
  listMovements(period: {
    from: Date;
    before: Date;
    after: string | null;
  }): Promise<{ movements: ProviderMovement[]; nextCursor: string | null }>;
}
