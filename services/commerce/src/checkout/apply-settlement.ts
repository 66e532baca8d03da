import type { Logger } from '@event-api/platform/core/log';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { writeSettlement, writeStatus } from '../orders/write.ts';
import {
  findPaymentOfSession,
  type PaymentRow,
  writePaymentState,
} from '../payments/payments.queries.ts';
import type { PaymentProvider } from '../payments/providers/provider.ts';
import { createRefund } from '../refunds/create.ts';
import { matchProviderRefunds } from '../refunds/provider-refunds.queries.ts';
import { linkDisputes } from '../refunds/record-dispute.ts';
import {
  findReceivedOfOrder,
  isPending,
  type SettlementRow,
  writeSettlementState,
} from '../settlements/settlements.queries.ts';
import { decideSettlement, decideUse } from '../settlements/settlements.rules.ts';
import { type FulfilDeps, fulfilOrder } from './fulfil.ts';

export interface ApplyDeps extends FulfilDeps {
  log: Logger;
  /** Only payments in the mode of the configured provider are usable. */
  provider: Pick<PaymentProvider, 'livemode'>;
}

/**
 * Applies a settlement once: fulfils the order, creates a refund, or closes the settlement as
 * unusable. Money without an order stays recorded and raises an alarm. Safe to retry.
 * Errors: 503 if registration is unavailable; the settlement is accepted and the order is fulfilled
 * later. Locks: the order. Reports: the change of the order.
 */
export async function applySettlement(deps: ApplyDeps, settlement: SettlementRow): Promise<void> {
  const { db, metrics, provider: configured } = deps;
  reachStep('settlement.stored');
  await matchProviderRefunds(db, settlement.provider, settlement.providerPaymentId);
  const use = decideUse(settlement, configured);
  if (use.outcome === 'unusable') return closeSettlement(deps, settlement, 'unusable', use.reason);
  const { provider, sessionId, attemptId, notifiedOrderId } = settlement;
  const payment = await findPaymentOfSession(db, provider, sessionId, attemptId);
  if (!payment) return closeSettlement(deps, settlement, 'unmatched', 'unknown_session');
  if (notifiedOrderId !== null && notifiedOrderId !== payment.orderId) {
    return closeSettlement(deps, settlement, 'unmatched', 'session_of_another_order');
  }
  const { order, result: outcome } = await applyToOrder(deps, settlement, payment);
  metrics.settlementProcessed(outcome);
  if (outcome === 'late') metrics.orderTransition({ status: 'refund_due', lagSeconds: null });
  reachStep('settlement.processed');
  await linkDisputes(deps, provider, settlement.providerPaymentId);
  if (outcome !== null && outcome !== 'accepted') {
    const about = { settlementId: settlement.id, orderId: payment.orderId, reason: outcome };
    deps.log[outcome === 'mismatch' ? 'error' : 'warn'](
      about,
      'settlement not accepted, refund due',
    );
  }
  if (outcome === 'accepted') await fulfilOrder(deps, order);
}

/** Applies the received settlements of the payment sessions of an order. Errors: 503. */
export async function applyReceived(deps: ApplyDeps, orderId: string): Promise<void> {
  for (const settlement of await findReceivedOfOrder(deps.db, orderId)) {
    await applySettlement(deps, settlement);
  }
}

/** Closes a settlement that changes no order. An operator decides what happens to the money. */
async function closeSettlement(
  { db, log, metrics }: ApplyDeps,
  settlement: SettlementRow,
  state: 'unusable' | 'unmatched',
  reason: string,
): Promise<void> {
  if (!(await writeSettlementState(db, settlement.id, state, { reason }))) return;
  metrics.settlementProcessed(state);
  const { id: settlementId, amount, currency } = settlement;
  const about = { alarm: 'settlement_unusable', settlementId, state, reason, amount, currency };
  log.error(about, 'settlement closed without effect');
}

async function applyToOrder({ db }: ApplyDeps, settlement: SettlementRow, payment: PaymentRow) {
  const apply = async (tx: Tx, order: OrderRow) => {
    if (!(await isPending(tx, settlement.id))) return null;
    const decision = decideSettlement(order, payment, settlement);
    reachStep('order.decided');
    await writeSettlementState(tx, settlement.id, decision.outcome, { orderId: order.id });
    if (decision.outcome === 'mismatch') {
      // The session accepts one payment only. A confirmation opens another one.
      await writePaymentState(tx, payment.id, 'mismatch');
      await createRefund(tx, order, settlement, settlement.amount, 'mismatch');
      if (decision.hasEnded) await writeStatus(tx, order.id, 'refund_due');
      return decision.outcome;
    }
    await writePaymentState(tx, payment.id, 'paid');
    if (decision.outcome === 'accepted') {
      await writeSettlement(tx, order.id, settlement.id, decision);
      return decision.outcome;
    }
    await createRefund(tx, order, settlement, settlement.amount, decision.outcome);
    if (decision.outcome === 'late') await writeStatus(tx, order.id, 'refund_due');
    return decision.outcome;
  };
  return db.transaction((tx) => changeOrder(tx, payment.orderId, (order) => apply(tx, order)));
}
