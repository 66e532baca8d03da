import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { hasUnstoredAssignment } from '../orders/seat-assignments.queries.ts';
import {
  type CancelledSeatRow,
  isUndecided,
  readEventTimes,
  recordSeatAttempt,
  writeSeatAmounts,
} from './cancelled-seats.queries.ts';
import { decideCancelledSeat } from './cancelled-seats.rules.ts';
import { createPolicyRefund } from './create.ts';
import { findRefundsOfOrder } from './refunds.queries.ts';
import { type RefundDeps, sendStarted } from './send.ts';

/**
 * Applies the refund policy of an order to a cancelled seat, once: stores what it pays back, as a
 * due refund or, by the policy, as one that is sent at once. Safe to retry: a refund that is stored
 * as `pending` is sent by the sweep, too.
 *
 * Errors: 503 while the fulfilment of the order, the assignment of the seat, or the refund of its
 * cancelled event is not stored, and if registration or the provider is unavailable. Locks: the
 * order. Reports: `order.refund_changed` or `order.updated`, and the changes of `sendRefund`.
 */
export async function refundCancelledSeat(deps: RefundDeps, seat: CancelledSeatRow): Promise<void> {
  const { db } = deps;
  await recordSeatAttempt(db, seat.registrationId);
  const { result: sentIds } = await db.transaction((tx) =>
    changeOrder(tx, seat.orderId, (order) => decide(tx, order, seat)),
  );
  reachStep('cancelled_seat.decided');
  await sendStarted(deps, seat.orderId, sentIds);
}

/** Stores the decision. Returns the ids of the refunds that are to be sent now. */
async function decide(tx: Tx, order: OrderRow, seat: CancelledSeatRow): Promise<string[]> {
  if (!(await isUndecided(tx, seat.registrationId))) return [];
  const event = await readEventTimes(tx, order);
  if (!event) throw unavailable(new Error('the time zone of the event is not known yet'));
  const refunds = await findRefundsOfOrder(tx, order.id);
  const decision = decideCancelledSeat(order, seat, {
    refunds,
    event,
    isUnstored: await hasUnstoredAssignment(tx, seat.registrationId),
  });
  if (decision.outcome === 'wait') {
    throw unavailable(new Error('the order of a cancelled seat is not settled yet'));
  }
  reachStep('order.decided');
  const { amounts, refund: state } = decision;
  await writeSeatAmounts(tx, seat.registrationId, amounts);
  if (state === null) return [];
  const { registrationId } = seat;
  return createPolicyRefund(tx, order, { registrationId, amount: amounts.refundAmount, state });
}
