import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { applyPaymentOfChange } from '../changes/apply-payment.ts';
import { releaseHold } from '../changes/end-unpaid.ts';
import { finishChange } from '../changes/execute.ts';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { writeSettlement, writeStatus } from '../orders/write.ts';
import {
  findPaymentOfSession,
  type PaymentRow,
  writePaymentState,
} from '../payments/payments.queries.ts';
import { createRefund } from '../refunds/create.ts';
import { matchProviderRefunds } from '../refunds/provider-refunds.queries.ts';
import { linkDisputes } from '../refunds/record-dispute.ts';
import type { RefundDeps } from '../refunds/send.ts';
import {
  findReceivedOfOrder,
  isPending,
  type SettlementRow,
  writeSettlementState,
} from '../settlements/settlements.queries.ts';
import { decideSettlement, decideUse } from '../settlements/settlements.rules.ts';
import { fulfilOrder } from './fulfil.ts';

/** Only payments in the mode of the configured provider are usable. */
export type ApplyDeps = RefundDeps;

/**
 * Applies a settlement once: fulfils the order, executes the change that it pays for, creates a
 * refund, or closes the settlement as unusable. Money without an order stays recorded and raises an
 * alarm. Safe to retry.
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
  if (payment.changeId !== null) {
    return applyToChange(deps, settlement, { ...payment, changeId: payment.changeId });
  }
  const { order, result: outcome } = await applyToOrder(deps, settlement, payment);
  metrics.settlementProcessed(outcome);
  if (outcome === 'late') metrics.orderTransition({ status: 'refund_due', lagSeconds: null });
  reachStep('settlement.processed');
  await linkDisputes(deps, provider, settlement.providerPaymentId);
  if (outcome !== null && outcome !== 'accepted') logRefused(deps, settlement, payment, outcome);
  if (outcome === 'accepted') await fulfilOrder(deps, order);
}

function logRefused(
  { log }: Pick<ApplyDeps, 'log'>,
  { id: settlementId }: SettlementRow,
  { orderId }: PaymentRow,
  reason: string,
): void {
  const about = { settlementId, orderId, reason };
  log[reason === 'mismatch' ? 'error' : 'warn'](about, 'settlement not accepted, refund due');
}

/**
 * Applies a settlement of a change of an order: it pays for nothing else. The sweep completes a change
 * that has accepted its payment.
 */
async function applyToChange(
  deps: ApplyDeps,
  settlement: SettlementRow,
  payment: PaymentRow & { changeId: string },
): Promise<void> {
  const { db, metrics } = deps;
  const { result: applied } = await db.transaction((tx) =>
    changeOrder(tx, payment.orderId, async (order) =>
      (await isPending(tx, settlement.id))
        ? applyPaymentOfChange(tx, order, settlement, payment)
        : null,
    ),
  );
  const cause = applied?.cause ?? null;
  metrics.settlementProcessed(applied && (cause ?? 'accepted'));
  reachStep('settlement.processed');
  await linkDisputes(deps, settlement.provider, settlement.providerPaymentId);
  if (cause !== null) logRefused(deps, settlement, payment, cause);
  if (applied?.hasEnded) await releaseHold(deps, applied.change);
  if (applied?.cause === null) await finishChange(deps, applied.change);
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
