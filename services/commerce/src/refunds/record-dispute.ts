import type { Logger } from '@event-api/platform/core/log';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database, Tx } from '@event-api/platform/db/database';
import {
  type DisputedPayment,
  findDisputedPayment,
  hasUnlinkedDispute,
  insertDispute,
  linkDisputesOf,
  lockDispute,
  updateDispute,
} from '../disputes/disputes.queries.ts';
import { type DisputeDecision, decideDispute } from '../disputes/disputes.rules.ts';
import { changeOrder } from '../orders/change-order.ts';
import type { ReportedDispute } from '../payments/providers/provider.ts';
import { withdrawCovered } from './withdraw-covered.ts';

interface DisputeDeps {
  db: Database;
  log: Pick<Logger, 'warn'>;
}

/**
 * Records what a provider reports about a dispute, on the order of its payment if one has received
 * it. Safe to repeat, in any order. Returns the id of that order, or null. Locks: the order. Reports:
 * `order.dispute_changed`, or `order.refunded` if a lost dispute has returned all that was due.
 */
export async function recordDispute(
  deps: DisputeDeps,
  provider: string,
  reported: ReportedDispute,
): Promise<string | null> {
  const { db } = deps;
  const payment = await findDisputedPayment(db, provider, reported.paymentId);
  const decision = await db.transaction(async (tx) => {
    if (!payment) return store(tx, provider, reported, null);
    const { result } = await changeOrder(tx, payment.orderId, async () => {
      const decision = await store(tx, provider, reported, payment);
      if (reported.status === 'lost') await withdrawCovered(tx, payment);
      return decision;
    });
    return result;
  });
  reachStep('dispute.stored');
  logDecision(deps, payment, reported, decision);
  if (payment) return payment.orderId;
  return linkDisputes(deps, provider, reported.paymentId);
}

async function store(
  tx: Tx,
  provider: string,
  reported: ReportedDispute,
  payment: DisputedPayment | null,
): Promise<DisputeDecision> {
  if (await insertDispute(tx, provider, reported, payment)) return { outcome: 'store' };
  const decision = decideDispute(await lockDispute(tx, provider, reported), reported);
  if (decision.outcome === 'store') await updateDispute(tx, provider, reported);
  return decision;
}

function logDecision(
  { log }: DisputeDeps,
  payment: DisputedPayment | null,
  { disputeId, status, amount, currency }: ReportedDispute,
  { outcome }: DisputeDecision,
): void {
  const about = { orderId: payment?.orderId ?? null, disputeId, status, amount, currency };
  if (outcome === 'store') log.warn(about, 'payment disputed at the payment provider');
  if (outcome === 'other_currency') log.warn(about, 'dispute has another currency than before');
}

/**
 * Assigns the disputes of a payment to the order that has received it meanwhile. The settlement and
 * a dispute are stored in any order, and each one calls this afterwards, so that one of the two sees
 * both. Returns the id of the order; null without a dispute to assign. Locks: the order. Reports:
 * `order.dispute_changed`.
 */
export async function linkDisputes(
  { db }: Pick<DisputeDeps, 'db'>,
  provider: string,
  paymentId: string,
): Promise<string | null> {
  if (!(await hasUnlinkedDispute(db, provider, paymentId))) return null;
  const payment = await findDisputedPayment(db, provider, paymentId);
  if (!payment) return null;
  await db.transaction((tx) =>
    changeOrder(tx, payment.orderId, async () => {
      await linkDisputesOf(tx, provider, paymentId, payment);
      await withdrawCovered(tx, payment);
    }),
  );
  reachStep('dispute.linked');
  return payment.orderId;
}
