import type { ListedRefund, Refund } from '@event-api/contracts/operator/refunds';
import type { ListedRefundRow, RefundRow } from './refunds.queries.ts';

/** A refund as the operator API returns it. */
export const refundView = (row: RefundRow): Refund => ({
  id: row.id,
  businessUnitId: row.businessUnitId,
  eventId: row.eventId,
  orderId: row.orderId,
  amount: row.amount,
  currency: row.currency,
  state: row.state,
  cause: row.cause,
  reason: row.reason,
  failure: row.failure,
  createdAt: row.createdAt.toISOString(),
  doneAt: row.doneAt?.toISOString() ?? null,
});

/** A refund in a list. */
export const listedRefundView = (row: ListedRefundRow): ListedRefund => ({
  ...refundView(row),
  orderNumber: row.orderNumber,
  email: row.email,
  isOwed: row.isOwed,
});
