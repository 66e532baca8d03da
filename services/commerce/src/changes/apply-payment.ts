import { recordAudit } from '@event-api/platform/audit/write';
import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import type { OrderRow } from '../orders/orders.queries.ts';
import { type PaymentRow, writePaymentState } from '../payments/payments.queries.ts';
import { readEventTimes } from '../refunds/cancelled-seats.queries.ts';
import { createRefund } from '../refunds/create.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { type SettlementRow, writeSettlementState } from '../settlements/settlements.queries.ts';
import {
  endRefusedQuote,
  findOrderChange,
  type OrderChangeRow,
  writeChangeSettlement,
} from './order-changes.queries.ts';
import { awaitsPayment, decideChangePayment } from './payment-of-change.rules.ts';

/** What a payment of a change has done. Without a cause it is accepted, and `change` happens now. */
export interface AppliedPayment {
  cause: 'mismatch' | 'surplus' | 'late' | null;
  change: OrderChangeRow;
  /** Whether the change awaited its payment and has ended: its seats are not held any more. */
  hasEnded: boolean;
}

/**
 * Applies a settlement of a change to its order, once: the change happens, or the money is due to the
 * buyer and a change that awaited it ends. Call it under the lock of the order. Errors: 503 while the
 * seats of the order are restored.
 */
export async function applyPaymentOfChange(
  tx: Tx,
  order: OrderRow,
  settlement: SettlementRow,
  payment: PaymentRow & { changeId: string },
): Promise<AppliedPayment> {
  const change = await findOrderChange(tx, order.id, payment.changeId);
  if (!change) throw new Error('change of a payment not found');
  const event = await readEventTimes(tx, order);
  const decision = decideChangePayment(order, change, {
    ...{ expected: payment, received: settlement },
    refunds: await findRefundsOfOrder(tx, order.id),
    isEventCancelled: event?.cancelledAt != null,
  });
  reachStep('order.decided');
  if (decision.outcome === 'wait') {
    throw unavailable(new Error('the order of a paid change does not have its seats'));
  }
  const cause = decision.outcome === 'accepted' ? null : decision.cause;
  await writeSettlementState(tx, settlement.id, cause ?? 'accepted', { orderId: order.id });
  await writePaymentState(tx, payment.id, cause === 'mismatch' ? 'mismatch' : 'paid');
  recordAudit(tx, { records: [order.id] });
  if (cause === null) {
    await writeChangeSettlement(tx, change.id, settlement.id);
    const accepted = { ...change, state: 'moving' as const, settlementId: settlement.id };
    return { cause, change: accepted, hasEnded: false };
  }
  await createRefund(tx, order, settlement, settlement.amount, cause);
  const hasEnded = awaitsPayment(change);
  if (hasEnded) await endRefusedQuote(tx, change.id);
  return { cause, change, hasEnded };
}
