import { unavailable } from '@event-api/platform/core/errors';
import type { Faults } from '@event-api/platform/core/faults';
import { randomId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { orderClosed, paymentUnavailable } from '../errors.ts';
import { lockOrder, type OrderRow } from '../orders/queries.ts';
import { decideConfirm, effectiveStatus } from '../orders/rules.ts';
import { writeStatus } from '../orders/write.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import {
  findOpenPayment,
  insertPayment,
  type PaymentRow,
  writePaymentState,
  writeSession,
} from '../payments/queries.ts';

export interface PaymentDeps {
  db: Database;
  provider: PaymentProvider;
  faults: Faults;
}

export interface ReturnUrls {
  successUrl: string;
  cancelUrl: string;
}

/**
 * Opens the payment page of an order. The attempt and its URLs are stored before the provider is
 * called, and a retry uses the same attempt: there is one session, however often this is called.
 *
 * Errors: 412 `ORDER_CLOSED`, `PAYMENT_UNAVAILABLE`; 503 if the provider is unavailable, and the
 * attempt stays; 503 on a conflict, and a retry starts another attempt. Locks: the order, but not
 * during a call to the provider.
 */
export async function openPayment(
  deps: PaymentDeps,
  { id: orderId }: OrderRow,
  urls: ReturnUrls,
): Promise<void> {
  const { db, provider, faults } = deps;
  const attempt = await startAttempt(deps, orderId, urls);
  if (!attempt || attempt.state === 'open') return;
  await faults.hit('payment.attempted');
  const session = await provider.createSession(sessionInput(attempt));
  await faults.hit('payment.created');
  if (session.outcome !== 'created') {
    await writePaymentState(db, attempt.id, 'refused');
    throw session.outcome === 'refused'
      ? paymentUnavailable()
      : unavailable(new Error('payment attempt conflicts with an earlier one'));
  }
  const { isOpen, status } = await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const { outcome } = decideConfirm(order);
    const status = effectiveStatus(order);
    if (outcome === 'done') return { isOpen: status === 'awaiting_payment', status };
    await writeSession(tx, attempt.id, session, outcome === 'pay' ? 'open' : 'expiring');
    if (outcome === 'pay') await writeStatus(tx, orderId, 'awaiting_payment');
    return { isOpen: outcome === 'pay', status };
  });
  await faults.hit('payment.opened');
  if (!isOpen) throw orderClosed(status);
}

/** The open attempt, or a new one; null if the order already has its payment page. */
async function startAttempt(
  { db, provider, faults }: PaymentDeps,
  orderId: string,
  urls: ReturnUrls,
): Promise<PaymentRow | null> {
  return db.transaction(async (tx) => {
    const unlocked = faults.isDisabled('order.lock');
    const order = await lockOrder(tx, orderId, unlocked);
    const { outcome } = decideConfirm(order);
    if (outcome === 'done') return null;
    if (outcome !== 'pay') throw orderClosed(effectiveStatus(order));
    const existing = await findOpenPayment(tx, orderId);
    if (existing) return existing;
    await insertPayment(tx, { id: randomId('pay'), orderId, provider: provider.name, ...urls });
    return findOpenPayment(tx, orderId);
  });
}

/** The parameters of the session, identical in every retry of an attempt. */
export const sessionInput = (payment: PaymentRow) => ({
  attemptId: payment.id,
  orderId: payment.orderId,
  orderNumber: payment.orderNumber,
  businessUnitId: payment.businessUnitId,
  eventId: payment.eventId,
  amount: payment.amount,
  currency: payment.currency,
  email: payment.email,
  title: payment.title,
  successUrl: payment.successUrl,
  cancelUrl: payment.cancelUrl,
  expiresAt: payment.holdExpiresAt,
});
