import { returnUnits } from '@event-api/contracts/internal/reservations';
import { recordAudit } from '@event-api/platform/audit/write';
import { withTimeout } from '@event-api/platform/core/deadline';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { quoteExpired } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { writeCancelled } from '../orders/write.ts';
import { insertDecidedSeats } from '../refunds/cancelled-seats.queries.ts';
import { createPolicyRefund } from '../refunds/create.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { revokeChosenSeats } from '../refunds/revoke.ts';
import { type RefundDeps, sendRefund } from '../refunds/send.ts';
import type { SettlementRow } from '../settlements/settlements.queries.ts';
import { timeouts } from '../timeouts.ts';
import { keptUnitsOf } from './cancelled-units.rules.ts';
import { findOrderChange, type OrderChangeRow, writeChangeState } from './order-changes.queries.ts';
import {
  decideExecution,
  holderOf,
  type QuotedSeat,
  type QuotedUnits,
  withoutCancelled,
} from './quotes.rules.ts';
import { readFacts } from './read-facts.ts';

/**
 * Executes a quote of an order, once: stores the refunds that it promises, cancels its seats at
 * registration, which gives them to the waitlist in the same decision, and sends the refunds of an
 * automatic policy. The sweep completes what an interrupted run has stored. Executed again, it
 * changes nothing. Returns the order as it is then.
 *
 * Errors: 404 for an unknown quote; 412 `QUOTE_EXPIRED`, with nothing stored; 503 if registration is
 * unavailable, and the sweep continues. Locks: the order, but not during a call to another party.
 * Reports: `order.refund_changed` or `order.updated`.
 */
export async function executeQuote(
  deps: RefundDeps,
  orderId: string,
  quoteId: string,
): Promise<{ change: OrderChangeRow; order: OrderRow }> {
  const { db } = deps;
  const { result: change } = await db.transaction((tx) =>
    changeOrder(tx, orderId, (order) => decide(tx, order, quoteId)),
  );
  reachStep('order_change.decided');
  await finishChange(deps, change);
  await sendPendingRefunds(deps, orderId);
  return { change: { ...change, state: 'done' }, order: await reloadOrder(db, orderId) };
}

/**
 * Cancels the seats of a change whose money is decided, and returns its units. Safe to retry.
 * Errors: 503.
 */
export async function finishChange(deps: RefundDeps, change: OrderChangeRow): Promise<void> {
  if (change.state === 'done') return;
  const order = await reloadOrder(deps.db, change.orderId);
  const registrationIds = orderSeatsOf(order)
    .filter(({ id }) => change.request.cancelSeats.includes(id))
    .map(holderOf);
  if (registrationIds.length > 0) await revokeChosenSeats(deps, change, registrationIds);
  await returnCancelledUnits(deps, change, order);
  await writeChangeState(deps.db, change.id, 'done');
  reachStep('order_change.done');
}

/** What the receivers keep is absolute: a repeated call returns nothing more. */
async function returnCancelledUnits(
  { registration }: RefundDeps,
  { businessUnitId, eventId, orderId, request }: OrderChangeRow,
  order: OrderRow,
): Promise<void> {
  const cancelled = request.cancelAddons.map(({ itemIndex: line, registrationId = null }) => ({
    ...{ line, registrationId },
  }));
  const units = keptUnitsOf(order, cancelled);
  if (units.length === 0) return;
  await registration.call(returnUnits, { businessUnitId, eventId, orderId, units });
  reachStep('order_change.units_returned');
}

async function decide(tx: Tx, order: OrderRow, quoteId: string): Promise<OrderChangeRow> {
  const change = await findOrderChange(tx, order.id, quoteId);
  if (!change) throw referenceNotFound('quoteId');
  const facts = await readFacts(tx, order);
  const decision = decideExecution(order, change, facts);
  reachStep('order.decided');
  if (decision.outcome === 'executed') return change;
  if (decision.outcome === 'expired') throw quoteExpired();
  const { seats, units } = decision;
  await writeCancelled(tx, order.id, withoutCancelled(order, decision));
  await storeSeats(tx, order, seats, facts);
  await refundUnits(tx, order, units, facts.settlement);
  await writeChangeState(tx, change.id, 'executing');
  recordAudit(tx, { records: [order.id, ...seats.map(({ registrationId }) => registrationId)] });
  return { ...change, state: 'executing' };
}

/** Stores what is paid back for each seat, as the sweep does for a seat that is cancelled elsewhere. */
async function storeSeats(
  tx: Tx,
  order: OrderRow,
  seats: readonly QuotedSeat[],
  { settlement, now }: Awaited<ReturnType<typeof readFacts>>,
): Promise<void> {
  const hasBands = (order.refundPolicy?.bands.length ?? 0) > 0;
  if (!settlement || !hasBands) return;
  const inserted = await insertDecidedSeats(tx, order, seats, now);
  // A registration was cancelled in the meantime: the sweep decides about its seat.
  if (inserted.length < seats.length) throw quoteExpired();
  for (const { registrationId, refundAmount: amount, refundState: state } of seats) {
    if (state) await createPolicyRefund(tx, order, settlement, { registrationId, amount, state });
  }
}

/** Creates the refunds of units that are cancelled. */
async function refundUnits(
  tx: Tx,
  order: OrderRow,
  units: readonly QuotedUnits[],
  settlement: SettlementRow | null,
): Promise<void> {
  for (const { refundAmount: amount, refundState: state } of units) {
    if (!state || !settlement) continue;
    await createPolicyRefund(tx, order, settlement, { registrationId: null, amount, state });
  }
}

/**
 * Sends the refunds of an order that its policy pays back at once, and waits a moment for the
 * provider. What is not sent then is sent by the sweep.
 */
async function sendPendingRefunds(deps: RefundDeps, orderId: string): Promise<void> {
  const { db, log } = deps;
  const send = async () => {
    const refunds = await findRefundsOfOrder(db, orderId);
    for (const refund of refunds) if (refund.state === 'pending') await sendRefund(deps, refund);
  };
  const sent = send().catch((error: unknown) => {
    log.warn(
      { orderId, reason: safeMessageWithCauses(error) },
      'failed to send refund, will retry',
    );
  });
  await withTimeout(sent, timeouts.sendRefundsMs);
}
