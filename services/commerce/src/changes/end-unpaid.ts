import { releaseReservation } from '@event-api/contracts/internal/reservations';
import { withTimeout } from '@event-api/platform/core/deadline';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { reachStep } from '@event-api/platform/core/steps';
import { orderBusy } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { reloadOrder } from '../orders/orders.queries.ts';
import {
  findPaymentsOfChange,
  markPaymentsExpiring,
  type PaymentRow,
} from '../payments/payments.queries.ts';
import type { RefundDeps } from '../refunds/send.ts';
import { expirePayment } from '../settlements/expire-payment.ts';
import { timeouts } from '../timeouts.ts';
import {
  endRefusedQuote,
  findAwaitingOfOrder,
  findOrderChange,
  type OrderChangeRow,
} from './order-changes.queries.ts';

/**
 * Ends a change that is not paid in time: expires its page, and then its seats are free. A page that
 * is paid already is recorded as a settlement, which the sweep applies. Safe to retry. Errors: 503 if
 * the provider or registration is unavailable. Locks: the order, but not during a call to another party.
 */
export async function endUnpaidChange(deps: RefundDeps, change: OrderChangeRow): Promise<void> {
  for (const payment of await findPaymentsOfChange(deps.db, change.orderId, change.id)) {
    if ((await expirePayment(deps, payment)) === 'paid') return;
  }
  await endAwaiting(deps, change);
}

/**
 * Gives up the changes of an order that await a payment, because another quote is executed. Waits a
 * moment for the provider; what is paid nevertheless is refunded. Errors: 412 `ORDER_BUSY` for a
 * change that is paid already; 503 if registration is unavailable.
 */
export async function giveUpOthers(
  deps: RefundDeps,
  orderId: string,
  quoteId: string,
): Promise<void> {
  const { db } = deps;
  const awaiting = await findAwaitingOfOrder(db, await reloadOrder(db, orderId));
  const others = awaiting.filter(({ id }) => id !== quoteId);
  if (others.length === 0) return;
  const quote = await findOrderChange(db, orderId, quoteId);
  if (quote?.state !== 'quoted' || quote.isExpired) return;
  for (const change of others) {
    const payments = await findPaymentsOfChange(db, orderId, change.id);
    for (const payment of payments) if (await isPaid(deps, payment)) throw orderBusy();
    await endAwaiting(deps, change);
  }
}

async function isPaid(deps: RefundDeps, payment: PaymentRow): Promise<boolean> {
  const { id: paymentId, orderId } = payment;
  const expiry = expirePayment(deps, payment).catch((error: unknown) => {
    const about = { paymentId, orderId, reason: safeMessageWithCauses(error) };
    deps.log.warn(about, 'failed to end payment session, will retry');
  });
  const ended = await withTimeout(expiry, timeouts.expirePaymentMs);
  return ended.outcome === 'done' && ended.value === 'paid';
}

/**
 * Ends a change if it still awaits its payment: nothing has happened. A page that can still be paid is
 * expired by the sweep. Errors: 503, and registration ends the hold by its time.
 */
export async function endAwaiting(deps: RefundDeps, change: OrderChangeRow): Promise<void> {
  const { orderId, id } = change;
  await deps.db.transaction((tx) =>
    changeOrder(tx, orderId, async () => {
      const present = await findOrderChange(tx, orderId, id);
      if (present?.state !== 'awaiting_payment') return;
      await markPaymentsExpiring(tx, orderId);
      await endRefusedQuote(tx, id);
    }),
  );
  reachStep('order_change.ended');
  await releaseHold(deps, change);
}

/** Frees the seats that are held for a change that has ended. Safe to retry. Errors: 503. */
export async function releaseHold(
  { registration }: Pick<RefundDeps, 'registration'>,
  { businessUnitId, eventId, id: reservationId }: OrderChangeRow,
): Promise<void> {
  await registration.call(releaseReservation, { businessUnitId, eventId, reservationId });
}
