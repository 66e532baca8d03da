import type { EventScope } from '@event-api/contracts/internal/scope';
import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { duplicateRefund, nothingDue, nothingToRefund, refundTooHigh } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { type OrderRow, readOrder } from '../orders/orders.queries.ts';
import { readSettlement } from '../settlements/settlements.queries.ts';
import {
  findRefundsOfOrder,
  insertRefund,
  type RefundRow,
  startRefunds,
} from './refunds.queries.ts';
import { decideRefund, type RefundDecision, type RefundRequest } from './refunds.rules.ts';
import { type RefundDeps, sendRefund } from './send.ts';

/**
 * Refunds what is due for an order and, by the extent of the request, more of its payment. The
 * refunds are stored as `pending` before the provider is called. An interrupted request that runs
 * again under the same `Idempotency-Key` finds its stored refunds and sends those.
 *
 * Errors: 400 for more than the rest of the payment; 404; 409 for a duplicate; 412
 * `NOTHING_TO_REFUND`; 503 if the provider is unavailable, and pending refunds are retried in the
 * background. Locks: the order, but not during a call to the provider. Reports:
 * `order.refund_changed` for an amount that is owed from now on, and the changes of `sendRefund`.
 */
export async function refundOrder(
  deps: RefundDeps,
  scope: EventScope,
  input: { orderId: string; reason: string | null; request: RefundRequest },
): Promise<{ order: OrderRow; refunds: RefundRow[] }> {
  const { db } = deps;
  const { id } = await readOrder(db, scope, input.orderId);
  const ref = { requestId: newId('rfd'), extent: input.request.extent };
  const start = async (tx: Tx, order: OrderRow): Promise<void> => {
    const refunds = await findRefundsOfOrder(tx, id);
    if (refunds.some(({ requestId }) => requestId === ref.requestId)) return;
    const settlement = order.settlementId ? await readSettlement(tx, order.settlementId) : null;
    const decision = decideRefund(order, settlement?.amount ?? 0, refunds, input.request);
    const { dueIds, amount } = requireRefund(decision, order);
    await startRefunds(tx, dueIds, input.reason, ref);
    recordAudit(tx, { records: [id, ...dueIds, ...(amount > 0 ? [ref.requestId] : [])] });
    if (!settlement || amount === 0) return;
    const { currency } = settlement;
    const refund = { orderId: id, settlementId: settlement.id, amount, currency };
    await insertOperatorRefund(tx, { ...scope, ...refund, reason: input.reason }, ref);
  };
  await db.transaction((tx) => changeOrder(tx, id, (order) => start(tx, order)));
  reachStep('refund.started');
  for (const refund of await findRefundsOfOrder(db, id)) {
    if (refund.state === 'pending') await sendRefund(deps, refund);
  }
  return { order: await readOrder(db, scope, id), refunds: await findRefundsOfOrder(db, id) };
}

const insertOperatorRefund = (
  tx: Tx,
  refund: Omit<Parameters<typeof insertRefund>[1], 'id' | 'state' | 'cause'>,
  ref: { requestId: string; extent: RefundRequest['extent'] },
) => insertRefund(tx, { ...refund, id: ref.requestId, state: 'pending', cause: 'operator' }, ref);

function requireRefund(decision: RefundDecision, { currency, status, totalAmount }: OrderRow) {
  switch (decision.outcome) {
    case 'refund':
      return decision;
    case 'duplicate':
      throw duplicateRefund(decision.refundId, decision.requestedAt);
    case 'too_high':
      throw refundTooHigh(decision.left);
    case 'nothing_due':
      throw nothingDue(decision.left, currency);
    case 'nothing':
      throw nothingToRefund({ isFree: status === 'paid' && totalAmount === 0 });
  }
}
