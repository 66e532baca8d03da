import { randomId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { writeUnfulfilled } from '../orders/write.ts';
import { findRefundsOfOrder, insertRestOfRefund, withdrawRefunds } from './refunds.queries.ts';
import {
  decideWithdrawal,
  type ReceivedRegistration,
  type WithdrawalDecision,
} from './withdrawal.rules.ts';

/**
 * Withdraws the due refund of a seat from an order that got the registration of its attendee from a
 * refunded order. Applied again, it changes nothing. An order with the status `refund_due` becomes
 * `paid`. Locks: the order. Reports: the change of the order.
 */
export async function withdrawRefund(
  tx: Tx,
  orderId: string,
  received: ReceivedRegistration,
): Promise<{ outcome: WithdrawalDecision['outcome']; becamePaid: boolean }> {
  const { result } = await changeOrder(tx, orderId, (order) => withdraw(tx, order, received));
  return result;
}

async function withdraw(
  tx: Tx,
  order: OrderRow,
  received: ReceivedRegistration,
): ReturnType<typeof withdrawRefund> {
  const { id: orderId } = order;
  const decision = decideWithdrawal(order, await findRefundsOfOrder(tx, orderId), received);
  if (decision.outcome !== 'withdraw') return { outcome: decision.outcome, becamePaid: false };
  await withdrawRefunds(tx, decision.refundIds);
  const [first] = decision.refundIds;
  if (decision.rest > 0 && first !== undefined) {
    const rest = { id: randomId('rfd'), amount: decision.rest, failure: null };
    await insertRestOfRefund(tx, first, rest);
  }
  await writeUnfulfilled(tx, orderId, decision.line);
  return { outcome: 'withdraw', becamePaid: order.status === 'refund_due' };
}
