import type { Fulfilment } from '@event-api/contracts/internal/reservations';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database, Tx } from '@event-api/platform/db/database';
import { announceChanges } from '@event-api/platform/messaging/changes/write';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import type { OrderTransition } from '../metrics.ts';
import { changeOrder } from '../orders/change-order.ts';
import {
  registrationsOfLines,
  unfulfilledRegistrationsOfLines,
} from '../orders/fulfilled-lines.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { decideClose, type ReservationOutcome } from '../orders/orders.rules.ts';
import { type PaidColumns, writePaid, writeStatus } from '../orders/write.ts';
import { markPaymentsExpiring } from '../payments/payments.queries.ts';
import { refundSettlement, refundUnfulfilledSeats } from '../refunds/create.ts';
import { decideSeatRefund, type SeatRefund } from '../refunds/refunds.rules.ts';
import { withdrawCovered } from '../refunds/withdraw-covered.ts';

/**
 * Stores the final status of an order from the response of registration. A seat whose attendee has
 * registered elsewhere in the meantime is not created, and its price is refunded. Returns the order
 * and the change of its status, or null. Locks: the order. Reports: the change of the order.
 */
export async function closeOrder(
  tx: Tx,
  orderId: string,
  result: { outcome: Exclude<ReservationOutcome, 'fulfilled'> } | Fulfilment,
  readAfterToken: string | null,
): Promise<{ order: OrderRow; result: OrderTransition | null }> {
  return changeOrder(tx, orderId, (order) => storeClosed(tx, order, { result, readAfterToken }));
}

async function storeClosed(
  tx: Tx,
  order: OrderRow,
  {
    result,
    readAfterToken,
  }: {
    result: { outcome: Exclude<ReservationOutcome, 'fulfilled'> } | Fulfilment;
    readAfterToken: string | null;
  },
): Promise<OrderTransition | null> {
  const { id: orderId } = order;
  const decision = decideClose(order, result.outcome);
  reachStep('order.decided');
  if (decision.outcome === 'unchanged') return null;
  // A free order has no payment session.
  if (order.totalAmount > 0) await markPaymentsExpiring(tx, orderId);
  if (decision.outcome === 'refund') {
    await refundSettlement(tx, order, decision.cause);
    // The money arrived after the cancellation.
    const transition = await endOwed(tx, orderId, { isCancelled: decision.cause === 'late' });
    await withdrawLost(tx, order);
    return transition;
  }
  if (decision.outcome === 'owe') {
    return endOwed(tx, orderId, { isCancelled: decision.after === 'cancelled' });
  }
  if (result.outcome === 'fulfilled') {
    const refund = decideSeatRefund(order, result);
    const lagSeconds = await writeFulfilment(tx, order, { result, refund, readAfterToken });
    await refundUnfulfilledSeats(tx, order, refund);
    const transition: OrderTransition =
      order.settlementId === null || !refund.isAll
        ? { status: 'paid', lagSeconds }
        : await endOwed(tx, orderId, { isCancelled: false });
    if (refund.amount > 0) await withdrawLost(tx, order);
    return transition;
  }
  if (decision.status === 'paid') return null;
  await writeStatus(tx, orderId, decision.status);
  return { status: decision.status, lagSeconds: null };
}

/** The buyer may have got the money of an order by a lost dispute before the order ended. */
async function withdrawLost(tx: Tx, { id: orderId, settlementId }: OrderRow): Promise<void> {
  if (settlementId !== null) await withdrawCovered(tx, { orderId, settlementId });
}

async function endOwed(
  tx: Tx,
  orderId: string,
  { isCancelled }: { isCancelled: boolean },
): Promise<OrderTransition> {
  // First, so that `cancelled_at` is set.
  if (isCancelled) await writeStatus(tx, orderId, 'cancelled');
  await writeStatus(tx, orderId, 'refund_due');
  return { status: 'refund_due', lagSeconds: null };
}

/**
 * Stores the registrations of an order and what of it was not fulfilled, and marks it as paid.
 * Returns the seconds since the money was received; null for an order without a settlement.
 */
export async function writeFulfilment(
  tx: Tx,
  order: OrderRow,
  fulfilled: { result: Fulfilment; refund: SeatRefund; readAfterToken: string | null },
): Promise<number | null> {
  const written = await writePaid(tx, order, paidColumns(order, fulfilled), {
    onlyVersion: null,
    isWholeCommand: false,
  });
  return written?.lagSeconds ?? null;
}

/**
 * Marks an order as paid whose seats were all created, in one statement, and returns it with the
 * change of its status. Null without an effect if the order has changed since it was read, must not
 * become paid, or is owed money. Reports: `order.paid`.
 */
export async function closeFulfilledOrder(
  db: Database,
  order: OrderRow,
  result: Fulfilment,
): Promise<{ order: OrderRow; result: OrderTransition } | null> {
  const decision = decideClose(order, result.outcome);
  const refund = decideSeatRefund(order, result);
  reachStep('order.decided');
  if (decision.outcome !== 'become' || decision.status !== 'paid') return null;
  if (order.settlementId !== null && (refund.amount > 0 || refund.isAll)) return null;
  const fulfilled = { result, refund, readAfterToken: serializeCurrentToken() };
  const written = await writePaid(db, order, paidColumns(order, fulfilled), {
    onlyVersion: order.version,
    isWholeCommand: true,
  });
  if (!written) return null;
  await announceChanges(db);
  return {
    order: written.order,
    result: { status: 'paid', lagSeconds: written.lagSeconds },
  };
}

function paidColumns(
  order: OrderRow,
  {
    result,
    refund,
    readAfterToken,
  }: { result: Fulfilment; refund: SeatRefund; readAfterToken: string | null },
): PaidColumns {
  const registrationIds = registrationsOfLines(order, result);
  const unfulfilledIds = unfulfilledRegistrationsOfLines(order, result);
  const lines = refund.amounts.map((unfulfilledAmount, n) => ({
    registrationIds: registrationIds[n] ?? [],
    unfulfilledAmount,
    unfulfilledRegistrationIds: unfulfilledIds[n] ?? [],
  }));
  const { seats, addonRegistrationId } = result;
  return { lines, seats, readAfterToken, addonRegistrationId };
}
