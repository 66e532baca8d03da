import { isSeatId } from '@event-api/contracts/seat-ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import {
  markEventCancelled,
  markRevoked,
  recordOrderAttempt,
  writeCancelledSeats,
  writeStatus,
} from '../orders/write.ts';
import { findUndecidedSeatsOfOrders } from '../refunds/cancelled-seats.queries.ts';
import { createParts } from '../refunds/create.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { eventCancelledCause } from '../refunds/refunds.rules.ts';
import { type RefundDeps, sendStarted } from '../refunds/send.ts';
import { type CancelledEvent, decideOrderCancellation } from './cancellations.rules.ts';
import { awaitsSeats } from './ended-seats.rules.ts';

/**
 * Applies the cancellation of its event to a paid order, once: what it gets back is stored as
 * `pending` and then sent, or as due while an open dispute holds the money, and a free order is
 * cancelled. Registration has cancelled its registrations before. An order whose seats were cancelled
 * before its event waits until the policy is applied to them. Safe to retry: the sweep sends a
 * pending refund, too.
 *
 * Errors: 503 if the provider is unavailable, and the refund stays pending. Locks: the order, but
 * not during a call to the provider. Reports: `order.refund_changed` or `order.cancelled`, and the
 * changes of `sendRefund`.
 */
export async function refundOrderOfEvent(
  deps: RefundDeps,
  orderId: string,
  event: CancelledEvent,
): Promise<void> {
  const { db, metrics } = deps;
  await recordOrderAttempt(db, orderId);
  const { result } = await db.transaction((tx) =>
    changeOrder(tx, orderId, (order) => decide(tx, order, event)),
  );
  reachStep('cancellation.order_decided');
  if (result.isCancelled) metrics.orderTransition({ status: 'cancelled', lagSeconds: null });
  await sendStarted(deps, orderId, result.sentIds);
}

async function decide(
  tx: Tx,
  order: OrderRow,
  event: CancelledEvent,
): Promise<{ sentIds: string[]; isCancelled: boolean }> {
  const refunds = await findRefundsOfOrder(tx, order.id);
  const decision = decideOrderCancellation(order, refunds, event);
  reachStep('order.decided');
  const nothing = { sentIds: [], isCancelled: false };
  if (decision.outcome === 'wait' || decision.outcome === 'unchanged') return nothing;
  const undecided = await findUndecidedSeatsOfOrders(tx, [order.id]);
  if (awaitsSeats(order, undecided.get(order.id) ?? [], event)) return nothing;
  // Registration has nothing of the order that is active: there is nothing to revoke.
  await markRevoked(tx, order.id, serializeCurrentToken());
  await markEventCancelled(tx, order.id);
  await writeCancelledSeats(tx, order.id, order.lines.flatMap(openSeatsOf));
  if (decision.outcome === 'cancel') {
    await writeStatus(tx, order.id, 'cancelled');
    return { sentIds: [], isCancelled: true };
  }
  const { amount } = decision;
  const refund = { amount, state: 'pending', cause: eventCancelledCause } as const;
  return { sentIds: await createParts(tx, order, refund), isCancelled: false };
}

const openSeatsOf = ({ registrationIds }: OrderRow['lines'][number]) =>
  registrationIds.filter(isSeatId);
