import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import { orderChange } from './net-change.ts';
import { lockOrder, type OrderRow, reloadOrder } from './orders.queries.ts';

/**
 * Runs `change` on a locked order and reports what it changes, as one net change for the change
 * feed. Returns the order as it is then. Every transaction that can change the response of the API to a read of an order runs in it.
 *
 * Reports: the move to another status, `order.dispute_changed`, `order.refund_changed`,
 * `order.payment_changed` or `order.updated`, if the response of the API differs. Locks: the order.
 */
export async function changeOrder<Result>(
  tx: Tx,
  orderId: string,
  change: (order: OrderRow) => Promise<Result>,
): Promise<{ order: OrderRow; result: Result }> {
  const before = await lockOrder(tx, orderId);
  const result = await change(before);
  return { order: await report(tx, before), result };
}

async function report(tx: Tx, before: OrderRow): Promise<OrderRow> {
  const after = await reloadOrder(tx, before.id);
  const change = orderChange(before, after);
  if (change === null) return after;
  const { businessUnitId, eventId, id: objectId } = after;
  // A payment is part of the response, but has no effect on the version of the order.
  const version =
    after.version > before.version ? after.version : await incrementVersion(tx, objectId);
  writeChanges(tx, [{ ...change, businessUnitId, eventId, objectId, version }]);
  return { ...after, version };
}

// The trigger sets the version.
const touch = statement<{ version: number }>(
  'order_touch',
  'update commerce.customer_order set version = version + 1 where id = $1 returning version',
);

async function incrementVersion(tx: Tx, orderId: string): Promise<number> {
  const [row] = await tx.query(touch, [orderId]);
  if (!row) throw new Error('order not found');
  return row.version;
}
