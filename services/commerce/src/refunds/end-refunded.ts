import type { Tx } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { markRevoked, writeStatus } from '../orders/write.ts';
import { findRefundsOfOrder } from './refunds.queries.ts';
import { decideEnd } from './refunds.rules.ts';

/**
 * Marks an order as refunded if its refunds end it, and returns whether it was not before. Call it
 * under the lock of the order, after its refunds are written.
 */
export async function endRefunded(tx: Tx, order: OrderRow): Promise<boolean> {
  const end = decideEnd(order, await findRefundsOfOrder(tx, order.id));
  if (end.outcome === 'open') return false;
  await writeStatus(tx, order.id, 'refunded');
  // The refunds have cancelled what is to be cancelled.
  if (end.keepsRegistrations) await markRevoked(tx, order.id, null);
  return order.status !== 'refunded';
}
