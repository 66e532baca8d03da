import { reachStep } from '@event-api/platform/core/steps';
import { providerOf } from '../payments/accounts/provider-of.ts';
import { type PaymentRow, recordPaymentAttempt } from '../payments/payments.queries.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { type PaymentDeps, sessionInput } from '../payments/session-input.ts';
import { storePaymentState } from '../payments/store-state.ts';
import { recordSettlement } from './record.ts';

/**
 * Expires the payment session of an attempt, so that it can no longer be paid. A session that is
 * already paid is recorded as a settlement, which the caller applies. Safe to retry. Errors: 503 if
 * the provider is unavailable. Locks: the order, but not during a call to the provider. Reports:
 * `order.payment_changed`.
 */
export async function expirePayment(
  deps: PaymentDeps,
  payment: PaymentRow,
): Promise<'expired' | 'paid'> {
  const { db } = deps;
  await recordPaymentAttempt(db, payment.id);
  const provider = await providerOf(deps, payment.provider);
  const sessionId = payment.sessionId ?? (await findSessionId(provider, payment));
  if (sessionId === null) {
    await storePaymentState(db, payment, 'refused');
    return 'expired';
  }
  const result = await provider.expireSession(sessionId);
  reachStep('payment.expired');
  if (result.outcome === 'expired') {
    await storePaymentState(db, payment, 'expired');
    return 'expired';
  }
  await recordSettlement(db, payment.provider, {
    notificationId: `session-expiry:${result.payment.paymentId}`,
    kind: 'paid',
    sessionId,
    orderId: payment.orderId,
    attemptId: payment.id,
    // The API key of the response belongs to this mode.
    livemode: provider.livemode,
    payment: result.payment,
  });
  return 'paid';
}

/**
 * An interrupted attempt may have a session whose id was not stored. Creating it again returns the
 * same session. If it is rejected, no buyer has its URL.
 */
async function findSessionId(
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<string | null> {
  const session = await provider.createSession(sessionInput(payment));
  return session.outcome === 'created' ? session.sessionId : null;
}
