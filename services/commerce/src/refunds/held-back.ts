import type { Tx } from '@event-api/platform/db/database';
import { type HeldBack, heldBackBy } from '../disputes/disputes.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { findRefundsOfOrder } from './refunds.queries.ts';

/**
 * What open disputes hold back of refunds that are to be sent, of the first payment for which they
 * do; null if every refund can be sent. Call it under the lock of the order.
 */
export async function findHeldBack(
  tx: Tx,
  { id, disputes }: OrderRow,
  sent: readonly { settlementId: string; amount: number }[],
): Promise<HeldBack | null> {
  if (disputes.length === 0) return null;
  const refunds = await findRefundsOfOrder(tx, id);
  for (const settlementId of new Set(sent.map((refund) => refund.settlementId))) {
    const settlement = await readSettlement(tx, settlementId);
    const held = heldBackBy(settlement, disputes, refunds, sent);
    if (held) return held;
  }
  return null;
}

/** Whether an open dispute holds back a refund that would be sent now. */
export const isHeldBack = async (
  tx: Tx,
  order: OrderRow,
  settlementId: string,
  amount: number,
): Promise<boolean> => (await findHeldBack(tx, order, [{ settlementId, amount }])) !== null;
