import { randomId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import { coveredByLost, remainsOf } from '../disputes/disputes.rules.ts';
import { reloadOrder } from '../orders/orders.queries.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import { endRefunded } from './end-refunded.ts';
import { findRefundsOfOrder, insertRestOfRefund, withdrawRefunds } from './refunds.queries.ts';

/**
 * Withdraws due refunds of a payment whose money the buyer has got by a lost dispute, and marks the
 * order as refunded if nothing else is owed. Call it under the lock of the order, after a dispute is
 * lost and after money becomes due: the two happen in any order.
 */
export async function withdrawCovered(
  tx: Tx,
  { orderId, settlementId }: { orderId: string; settlementId: string },
): Promise<void> {
  const order = await reloadOrder(tx, orderId);
  if (!order.disputes.some(({ status }) => status === 'lost')) return;
  const settlement = await readSettlement(tx, settlementId);
  const refunds = await findRefundsOfOrder(tx, order.id);
  const ofPayment = refunds.filter((refund) => refund.settlementId === settlementId);
  const covered = coveredByLost(remainsOf(settlement, order.disputes), ofPayment);
  if (covered.length === 0) return;
  const ids = covered.map(({ refundId }) => refundId);
  await withdrawRefunds(tx, ids);
  for (const { refundId, rest } of covered) {
    if (rest === 0) continue;
    await insertRestOfRefund(tx, refundId, { id: randomId('rfd'), amount: rest, failure: null });
  }
  await endRefunded(tx, order);
}
