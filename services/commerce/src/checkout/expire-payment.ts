import { type PaymentRow, recordPaymentAttempt, writePaymentState } from '../payments/queries.ts';
import { recordSettlement } from '../settlements/record.ts';
import { type PaymentDeps, sessionInput } from './open-payment.ts';

/**
 * Ends the payment session of an attempt so that it can no longer be paid. A session that is already paid is recorded
 * as a settlement, as a notification would be. Repeating it is safe. Errors: 503 when the provider is unavailable.
 */
export async function expirePayment(
  deps: PaymentDeps,
  payment: PaymentRow,
): Promise<'ended' | 'paid'> {
  const { db, provider, faults } = deps;
  await recordPaymentAttempt(db, payment.id);
  const sessionId = payment.sessionId ?? (await findSessionId(deps, payment));
  if (sessionId === null) {
    await writePaymentState(db, payment.id, 'refused');
    return 'ended';
  }
  const result = await provider.expireSession(sessionId);
  await faults.hit('payment.ended');
  if (result.outcome === 'expired') {
    await writePaymentState(db, payment.id, 'ended');
    return 'ended';
  }
  await recordSettlement(db, provider.name, {
    notificationId: `asked:${result.payment.paymentId}`,
    kind: 'paid',
    sessionId,
    orderId: payment.orderId,
    attemptId: payment.id,
    // The response came under the key of this mode.
    livemode: provider.livemode,
    payment: result.payment,
  });
  return 'paid';
}

/**
 * An attempt that was cut off may have a session that is not known here: asked again, the provider names it. One
 * that it does not name has no page that anybody could have been led to.
 */
async function findSessionId(
  { provider }: PaymentDeps,
  payment: PaymentRow,
): Promise<string | null> {
  const session = await provider.createSession(sessionInput(payment));
  return session.outcome === 'created' ? session.sessionId : null;
}
