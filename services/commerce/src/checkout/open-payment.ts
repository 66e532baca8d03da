import { unavailable } from '@event-api/platform/core/errors';
import type { Faults } from '@event-api/platform/core/faults';
import { randomId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { orderClosed, paymentUnavailable } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { decideConfirm, effectiveStatus } from '../orders/orders.rules.ts';
import { writeStatus } from '../orders/write.ts';
import {
  findOpenPayment,
  insertPayment,
  type PaymentRow,
  writeSession,
} from '../payments/payments.queries.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { storePaymentState } from '../payments/store-state.ts';

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
 * during a call to the provider. Reports: `order.payment_changed` for a new attempt and for a
 * refused one, `order.awaiting_payment` for its page.
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
    await storePaymentState(db, attempt, 'refused');
    throw session.outcome === 'refused'
      ? paymentUnavailable()
      : unavailable(new Error('payment attempt conflicts with an earlier one'));
  }
  const { isOpen, status } = await db.transaction((tx) =>
    changeOrder(tx, orderId, async (order) => {
      const { outcome } = decideConfirm(order);
      const status = effectiveStatus(order);
      if (outcome === 'done') return { isOpen: status === 'awaiting_payment', status };
      await writeSession(tx, attempt.id, session, outcome === 'pay' ? 'open' : 'expiring');
      if (outcome === 'pay') await writeStatus(tx, orderId, 'awaiting_payment');
      return { isOpen: outcome === 'pay', status };
    }),
  );
  await faults.hit('payment.opened');
  if (!isOpen) throw orderClosed(status);
}

/** The open attempt, or a new one; null if the order already has its payment page. */
async function startAttempt(
  { db, provider, faults }: PaymentDeps,
  orderId: string,
  urls: ReturnUrls,
): Promise<PaymentRow | null> {
  const start = async (tx: Tx, order: OrderRow) => {
    const { outcome } = decideConfirm(order);
    if (outcome === 'done') return null;
    if (outcome !== 'pay') throw orderClosed(effectiveStatus(order));
    const existing = await findOpenPayment(tx, orderId);
    if (existing) return existing;
    await insertPayment(tx, { id: randomId('pay'), orderId, provider: provider.name, ...urls });
    return findOpenPayment(tx, orderId);
  };
  const unlocked = faults.isDisabled('order.lock');
  return db.transaction((tx) =>
    changeOrder(tx, orderId, (order) => start(tx, order), { unlocked }),
  );
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
