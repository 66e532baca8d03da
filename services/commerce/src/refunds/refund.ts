import type { EventScope } from '@event-api/contracts/internal/scope';
import { freshId } from '@event-api/platform/ids';
import { nothingToRefund, refundTooHigh } from '../errors.ts';
import { lockOrder, type OrderRow, readOrder } from '../orders/queries.ts';
import { readSettlement } from '../settlements/queries.ts';
import { payRefund, type RefundDeps } from './pay.ts';
import { beginRefunds, insertRefund, type RefundRow, refundsOfOrder } from './queries.ts';
import { decideRefund } from './rules.ts';

/**
 * Gives money of an order back: what is due, and on top of it `amount`, or without one the rest of what was paid. The
 * refunds are kept as `pending` before the provider is asked.
 *
 * Errors: 400 for more than is left; 404; 412 `NOTHING_TO_REFUND`; 503 when the provider is away: what is
 * pending is repeated by itself. Locks: the order, and never while the provider is asked.
 */
export async function refundOrder(
  deps: RefundDeps,
  scope: EventScope,
  asked: { orderId: string; amount?: number | undefined; reason: string | null },
): Promise<{ order: OrderRow; refunds: RefundRow[] }> {
  const { db, faults } = deps;
  const { id } = await readOrder(db, scope, asked.orderId);
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id, faults.guardIsOff('order.lock'));
    const settlement = order.settlementId ? await readSettlement(tx, order.settlementId) : null;
    const refunds = await refundsOfOrder(tx, id);
    const decision = decideRefund(order, settlement?.amount ?? 0, refunds, asked.amount);
    if (decision.outcome === 'nothing') throw nothingToRefund();
    if (decision.outcome === 'too_high') throw refundTooHigh(decision.left);
    await beginRefunds(tx, decision.dueIds, asked.reason);
    if (!settlement || decision.amount === 0) return;
    await insertRefund(tx, {
      ...scope,
      id: freshId('rfd'),
      orderId: id,
      settlementId: settlement.id,
      amount: decision.amount,
      currency: settlement.currency,
      state: 'pending',
      cause: 'operator',
      reason: asked.reason,
    });
  });
  await faults.reach('refund.begun');
  for (const refund of await refundsOfOrder(db, id)) {
    if (refund.state === 'pending') await payRefund(deps, refund);
  }
  return { order: await readOrder(db, scope, id), refunds: await refundsOfOrder(db, id) };
}
