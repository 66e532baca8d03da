import type { Logger } from '@event-api/platform/log';
import { type FinishDeps, fulfilOrder } from '../orders/finish.ts';
import { findOrder, lockOrder, writeSettlement, writeStatus } from '../orders/queries.ts';
import { findPaymentOfSession, type PaymentRow, writePaymentState } from '../payments/queries.ts';
import { owe } from '../refunds/owe.ts';
import { type SettlementRow, stillReceived, touchSettlement, writeJudgement } from './queries.ts';
import { decideSettlement } from './rules.ts';

export interface ApplyDeps extends FinishDeps {
  log: Logger;
}

/**
 * Draws the consequences of a settlement, once: the order is fulfilled, or the money is owed. Money whose
 * order is not known stays as it is, and an alarm is raised. Repeating it is safe.
 * Errors: 503 when registration is away: the settlement is accepted, and the order waits for its fulfilment.
 * Locks: the order.
 */
export async function applySettlement(deps: ApplyDeps, settlement: SettlementRow): Promise<void> {
  const { db, log, faults, counts } = deps;
  await touchSettlement(db, settlement.id);
  await faults.reach('settlement.stored');
  const { provider, sessionId, attemptId, toldOrderId } = settlement;
  const payment = await findPaymentOfSession(db, provider, sessionId, attemptId);
  if (!payment || (toldOrderId !== null && toldOrderId !== payment.orderId)) {
    await writeJudgement(db, settlement.id, 'unmatched', null);
    counts.judged('unmatched');
    log.error({ settlementId: settlement.id }, 'money was received that belongs to no order');
    return;
  }
  const outcome = await judge(deps, settlement, payment);
  counts.judged(outcome);
  if (outcome === 'late') counts.closed({ status: 'refund_due', lagSeconds: null });
  await faults.reach('settlement.judged');
  if (outcome === 'mismatch') {
    log.error({ settlementId: settlement.id }, 'money was received that is not what was asked for');
  }
  if (outcome !== 'accepted') return;
  const order = await findOrder(db, payment.orderId);
  if (order) await fulfilOrder(deps, order);
}

async function judge({ db, faults }: ApplyDeps, settlement: SettlementRow, payment: PaymentRow) {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId, faults.guardIsOff('order.lock'));
    if (!(await stillReceived(tx, settlement.id))) return null;
    const { outcome } = decideSettlement(order, payment, settlement);
    await writeJudgement(tx, settlement.id, outcome, order.id);
    if (outcome === 'mismatch') {
      // Its session has taken a payment, and takes no other.
      await writePaymentState(tx, payment.id, 'ended');
      await owe(tx, order, settlement, settlement.amount, 'mismatch');
      return outcome;
    }
    await writePaymentState(tx, payment.id, 'paid');
    if (outcome === 'accepted') {
      await writeSettlement(tx, order.id, settlement.id);
      return outcome;
    }
    await owe(tx, order, settlement, settlement.amount, outcome);
    if (outcome === 'late') await writeStatus(tx, order.id, 'refund_due');
    return outcome;
  });
}
