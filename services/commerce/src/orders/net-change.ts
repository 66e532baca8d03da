import type { ChangeType } from '@event-api/contracts/changes';
import type { OrderStatus } from '@event-api/contracts/http/orders';
import { presentSeat } from './lines.rules.ts';
import type { OrderRow } from './orders.queries.ts';
import { orderView } from './orders.view.ts';

/** What a transaction has changed about an order, as the change feed reports it. */
export interface OrderChange {
  type: ChangeType;
  previous: { status: OrderStatus };
  current: { status: OrderStatus };
}

// No transition leads back to `held`.
const moves: Record<OrderStatus, ChangeType> = {
  held: 'order.updated',
  awaiting_payment: 'order.awaiting_payment',
  paid: 'order.paid',
  cancelled: 'order.cancelled',
  expired: 'order.expired',
  refund_due: 'order.refund_due',
  refunded: 'order.refunded',
};

/**
 * Compares what the API returns of an order before and after a transaction. Returns the net change,
 * or null if the response is the same. A move to another status is reported as that move, whatever
 * else has changed; otherwise a change of disputes goes before one of refunds, and that before one of
 * payments. Only stored values count: a hold that ends changes nothing until that is stored.
 */
export function orderChange(before: OrderRow, after: OrderRow): OrderChange | null {
  const type = typeOf(before, after);
  if (type === null) return null;
  return { type, previous: { status: before.status }, current: { status: after.status } };
}

function typeOf(before: OrderRow, after: OrderRow): ChangeType | null {
  if (before.status !== after.status) return moves[after.status];
  const [old, current] = [partsOf(before), partsOf(after)];
  if (old.disputes !== current.disputes) return 'order.dispute_changed';
  if (old.refunds !== current.refunds) return 'order.refund_changed';
  if (old.payments !== current.payments) return 'order.payment_changed';
  return old.rest === current.rest ? null : 'order.updated';
}

/** The response in four parts, each as JSON. */
function partsOf(order: OrderRow): Record<'disputes' | 'refunds' | 'payments' | 'rest', string> {
  const view = orderView({ ...order, holdExpired: false });
  // A change of a registration is none of the order, and its projection changes at any time. An open
  // seat has none.
  const { registrations: _, seats, refundedAmount, refundDueAmount, refundsDue, ...others } = view;
  const { paymentAttempts, paymentUrl, disputes, disputedAmount, ...rest } = others;
  return {
    disputes: JSON.stringify([disputes, disputedAmount]),
    refunds: JSON.stringify([refundedAmount, refundDueAmount, refundsDue]),
    payments: JSON.stringify([paymentAttempts, paymentUrl]),
    rest: JSON.stringify([
      rest,
      seats.filter(({ status }) => status === 'open'),
      order.seats.map((seat) => [seat.isCancelled ?? false, presentSeat(seat)]),
    ]),
  };
}
