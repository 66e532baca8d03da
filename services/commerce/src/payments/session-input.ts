import type { Database } from '@event-api/platform/db/database';
import type { AccountDeps } from './accounts/provider-of.ts';
import type { PaymentRow } from './payments.queries.ts';

/** What opens and ends payment pages. */
export interface PaymentDeps extends AccountDeps {
  db: Database;
}

/** Where a payment page links back to. */
export interface ReturnUrls {
  successUrl: string;
  cancelUrl: string;
}

/** The parameters of the session, identical in every retry of an attempt. */
export const sessionInput = (payment: PaymentRow) => ({
  attemptId: payment.id,
  orderId: payment.orderId,
  orderNumber: payment.orderNumber,
  businessUnitId: payment.businessUnitId,
  eventId: payment.eventId,
  amount: payment.amount,
  feeAmount: payment.feeAmount,
  currency: payment.currency,
  email: payment.email,
  title: payment.title,
  successUrl: payment.successUrl,
  cancelUrl: payment.cancelUrl,
  expiresAt: payment.holdExpiresAt,
});
