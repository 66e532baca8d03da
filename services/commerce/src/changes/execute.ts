import { returnUnits, type TypeRefusal } from '@event-api/contracts/internal/reservations';
import { recordAudit } from '@event-api/platform/audit/write';
import { withTimeout } from '@event-api/platform/core/deadline';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { malformed, orderBusy, quoteExpired } from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import { decideReturnUrls } from '../payments/return-urls.rules.ts';
import type { ReturnUrls } from '../payments/session-input.ts';
import { findRefundsOfOrder } from '../refunds/refunds.queries.ts';
import { revokeChosenSeats } from '../refunds/revoke.ts';
import { type RefundDeps, sendRefund } from '../refunds/send.ts';
import { timeouts } from '../timeouts.ts';
import { keptUnitsOf } from './cancelled-units.rules.ts';
import { giveUpOthers } from './end-unpaid.ts';
import { moveSeats } from './move-seats.ts';
import { openPageOfChange } from './open-page.ts';
import {
  findAwaitingOfOrder,
  findOrderChange,
  type OrderChangeRow,
  writeChangeState,
} from './order-changes.queries.ts';
import { decideExecution } from './quotes.rules.ts';
import { readFacts } from './read-facts.ts';
import { changeRefused, typeRefused } from './refusals.ts';
import { holderOf } from './seats.rules.ts';
import { recordsOf, storeChange } from './store-change.ts';

/**
 * Executes a quote of an order, once. One that costs something holds its seats and opens a payment
 * page: nothing else changes until it is paid. It replaces another one of the order that is not paid
 * yet. Where seats get other ticket types, registration decides first, and nothing happens if it
 * refuses. Then the execution stores the refunds that the quote promises, cancels its seats at
 * registration, which gives them to the waitlist in the same decision, and sends the refunds of an
 * automatic policy. The sweep completes what an interrupted run has stored. Executed again, it
 * changes nothing. Returns the order as it is then.
 *
 * Errors: 404 for an unknown quote; 412 `QUOTE_EXPIRED`, `NOT_ON_SALE`, `SOLD_OUT`, `SEAT_CANCELLED`,
 * `BELOW_ORDER_MINIMUM`, `ABOVE_ORDER_MAXIMUM`, and what refuses a quote of the order, with nothing
 * changed; 503 if registration is unavailable, and the sweep continues. Locks: the order, but not
 * during a call to another party. Reports: `order.refund_changed` or `order.updated`.
 */
export async function executeQuote(
  deps: RefundDeps,
  orderId: string,
  { quoteId, ...urls }: { quoteId: string; successUrl?: unknown; cancelUrl?: unknown },
): Promise<{ change: OrderChangeRow; order: OrderRow; paymentUrl: string | null }> {
  const { db } = deps;
  const returnUrls = await requireUrls(deps, orderId, quoteId, urls);
  await giveUpOthers(deps, orderId, quoteId);
  const { result: change } = await db.transaction((tx) =>
    changeOrder(tx, orderId, (order) => decide(tx, order, quoteId)),
  );
  reachStep('order_change.decided');
  if (change.state === 'awaiting_payment' && returnUrls) {
    const page = await openPageOfChange(deps, change, returnUrls);
    return { ...page, order: await reloadOrder(db, orderId) };
  }
  const refusal = await finishChange(deps, change);
  if (refusal) throw typeRefused(refusal, change.request);
  await sendPendingRefunds(deps, orderId);
  return {
    ...{ change: { ...change, state: 'done' }, paymentUrl: null },
    order: await reloadOrder(db, orderId),
  };
}

/** Where the page of a quote that is to be paid links back to; null for any other one. */
async function requireUrls(
  { db }: RefundDeps,
  orderId: string,
  quoteId: string,
  urls: { successUrl?: unknown; cancelUrl?: unknown },
): Promise<ReturnUrls | null> {
  const change = await findOrderChange(db, orderId, quoteId);
  if (!change || change.quote.amountToPay === 0) return null;
  const decision = decideReturnUrls(urls, await reloadOrder(db, orderId));
  if (decision.outcome === 'invalid') throw malformed(decision.issues);
  return decision.urls;
}

/**
 * Completes a change that is being executed. Returns why registration has refused its ticket types,
 * and then nothing has happened; otherwise null. Safe to retry. Errors: 503.
 */
export async function finishChange(
  deps: RefundDeps,
  change: OrderChangeRow,
): Promise<TypeRefusal | null> {
  if (change.state === 'done' || change.state === 'awaiting_payment') return null;
  if (change.state !== 'moving') {
    await releaseParts(deps, change);
    return null;
  }
  const result = await moveSeats(deps, change);
  if (result.outcome === 'refused') return result.refusal;
  return finishChange(deps, result.change);
}

/** Cancels the seats of a change whose money is decided, and returns its units. */
async function releaseParts(deps: RefundDeps, change: OrderChangeRow): Promise<void> {
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
  if (!change) throw referenceNotFound('quoteId', 'order');
  const facts = await readFacts(tx, order, change.request);
  const decision = decideExecution(order, change, facts);
  reachStep('order.decided');
  if (decision.outcome === 'executed') return change;
  if (decision.outcome === 'expired') throw quoteExpired();
  if (decision.outcome === 'refused') throw changeRefused(decision.refusal);
  if ((await findAwaitingOfOrder(tx, order)).length > 0) throw orderBusy();
  if (change.quote.amountToPay > 0) {
    recordAudit(tx, { records: recordsOf(order, decision), result: 'started' });
    await writeChangeState(tx, change.id, 'awaiting_payment');
    return { ...change, state: 'awaiting_payment' };
  }
  const isMoving = decision.types.length > 0;
  recordAudit(tx, {
    records: recordsOf(order, decision),
    result: isMoving ? 'started' : 'done',
  });
  if (isMoving) {
    await writeChangeState(tx, change.id, 'moving');
    return { ...change, state: 'moving' };
  }
  const known = await storeChange(tx, order, decision, facts.now);
  // A registration was cancelled in the meantime: the sweep decides about its seat.
  if (known.length > 0) throw quoteExpired();
  await writeChangeState(tx, change.id, 'executing');
  return { ...change, state: 'executing' };
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
