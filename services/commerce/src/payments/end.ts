import { receiveSettlement } from '../settlements/receive.ts';
import { askedSession, type PaymentDeps } from './open.ts';
import { type PaymentRow, touchPayment, writePaymentState } from './queries.ts';

/**
 * Ends the session of an attempt, so that nobody can pay it any more. One that was paid meanwhile is a
 * settlement, as if the provider had told of it. Repeating it is safe. Errors: 503 when the provider is away.
 */
export async function endPayment(deps: PaymentDeps, payment: PaymentRow): Promise<void> {
  const { db, provider, faults } = deps;
  await touchPayment(db, payment.id);
  const sessionId = payment.sessionId ?? (await sessionOf(deps, payment));
  if (sessionId === null) {
    await writePaymentState(db, payment.id, 'refused');
    return;
  }
  const answer = await provider.expireSession(sessionId);
  await faults.reach('payment.ended');
  if (answer.outcome === 'expired') {
    await writePaymentState(db, payment.id, 'ended');
    return;
  }
  await receiveSettlement(db, provider.name, {
    eventId: `asked:${answer.payment.paymentId}`,
    kind: 'paid',
    sessionId,
    orderId: payment.orderId,
    attemptId: payment.id,
    payment: answer.payment,
  });
}

/**
 * An attempt that was cut off may have a session that is not known here: asked again, the provider names it. One
 * that it does not name has no page that anybody could have been led to.
 */
async function sessionOf({ provider }: PaymentDeps, payment: PaymentRow): Promise<string | null> {
  const session = await provider.createSession(askedSession(payment));
  return session.outcome === 'created' ? session.sessionId : null;
}
