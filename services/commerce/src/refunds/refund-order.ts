import type { EventScope } from '@event-api/contracts/internal/scope';
import { recordAudit } from '@event-api/platform/audit/write';
import { newId, randomId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import {
  duplicateRefund,
  nothingDue,
  nothingToRefund,
  orderBusy,
  paymentDisputed,
  refundTooHigh,
  seatsRefunded,
  unknownSeats,
} from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { type OrderRow, readOrder } from '../orders/orders.queries.ts';
import { readEventTimes } from './cancelled-seats.queries.ts';
import { findHeldBack } from './held-back.ts';
import {
  findRefundsOfOrder,
  insertRefund,
  type RefundRow,
  startRefunds,
} from './refunds.queries.ts';
import { decideRefund, type RefundDecision, type RefundRequest } from './refunds.rules.ts';
import { revokeChosenSeats } from './revoke.ts';
import { decideSeatsRefund, type SeatsDecision, type SeatsRequest } from './seat-refunds.rules.ts';
import { type RefundDeps, sendRefund } from './send.ts';
import { splitRefund } from './split.rules.ts';

/**
 * Refunds what is due for an order and, by the extent of the request, more of its payments, as one
 * refund of each payment that returns a part. The refunds are stored as `pending` before the provider is called, with the registrations to revoke:
 * the sweep completes both. An interrupted request that runs again under the same
 * `Idempotency-Key` finds its stored refunds and sends those.
 *
 * Errors: 400 for more than the rest of the payment, and for registrations that are not of the
 * order; 404; 409 for a duplicate; 412 `ORDER_BUSY` while its seats get other ticket types,
 * `NOTHING_TO_REFUND`, and `PAYMENT_DISPUTED` for what an open dispute holds; 503 if the provider is
 * unavailable, and pending refunds are retried in the background. Locks: the order, but not during a
 * call to the provider. Reports: `order.refund_changed` for an amount that is owed from now on, and the changes of `sendRefund`.
 */
export async function refundOrder(
  deps: RefundDeps,
  scope: EventScope,
  input: { orderId: string; reason: string | null; request: RefundRequest | SeatsRequest },
): Promise<{ order: OrderRow; refunds: RefundRow[] }> {
  const { db } = deps;
  const { id } = await readOrder(db, scope, input.orderId);
  const { request } = input;
  const ofSeats = request.extent === 'registrationIds' ? request : null;
  const chosenIds = ofSeats?.registrationIds ?? [];
  const revokedIds = ofSeats?.keeps ? [] : chosenIds;
  const ref = { requestId: newId('rfd'), extent: request.extent };
  const start = async (tx: Tx, order: OrderRow): Promise<void> => {
    const refunds = await findRefundsOfOrder(tx, id);
    if (refunds.some(({ requestId }) => requestId === ref.requestId)) return;
    if (order.isMoving) throw orderBusy();
    const decision =
      request.extent === 'registrationIds'
        ? decideSeatsRefund(order, refunds, await readEventTimes(tx, order), request)
        : decideRefund(order, refunds, request);
    const { dueIds, amount } = requireRefund(decision, order);
    const due = refunds.filter((refund) => dueIds.includes(refund.id));
    const added = splitRefund(order, refunds, amount).map((part, n) => ({
      ...part,
      id: n === 0 ? ref.requestId : randomId('rfd'),
    }));
    const held = await findHeldBack(tx, order, [...due, ...added]);
    if (held) throw paymentDisputed(held, order.currency);
    await startRefunds(tx, dueIds, input.reason, ref);
    const createdIds = added.map((part) => part.id);
    recordAudit(tx, { records: [id, ...dueIds, ...createdIds, ...chosenIds] });
    const { currency } = order;
    const seats = { ids: chosenIds, isRevoked: revokedIds.length > 0 };
    for (const part of added) {
      const refund = { ...scope, ...part, orderId: id, currency, reason: input.reason };
      await insertRefund(tx, { ...refund, state: 'pending', cause: 'operator' }, ref, seats);
    }
  };
  await db.transaction((tx) => changeOrder(tx, id, (order) => start(tx, order)));
  reachStep('refund.started');
  const refunds = await findRefundsOfOrder(db, id);
  // Without a refund there is one effect only, and nothing to complete after a crash.
  const isStored = refunds.some((each) => each.id === ref.requestId);
  if (revokedIds.length > 0 && !isStored) {
    await revokeChosenSeats(deps, { ...scope, orderId: id }, revokedIds);
  }
  for (const refund of refunds) {
    if (refund.state === 'pending') await sendRefund(deps, refund);
  }
  return { order: await readOrder(db, scope, id), refunds: await findRefundsOfOrder(db, id) };
}

function requireRefund(
  decision: RefundDecision | SeatsDecision,
  { currency, status, totalAmount }: OrderRow,
) {
  switch (decision.outcome) {
    case 'refund':
      return decision;
    case 'duplicate':
      throw duplicateRefund(decision);
    case 'too_high':
      throw refundTooHigh(decision.left);
    case 'nothing_due':
      throw nothingDue(decision.left, currency);
    case 'nothing':
      throw nothingToRefund({ isFree: status === 'paid' && totalAmount === 0 });
    case 'seats_refunded':
      throw seatsRefunded(decision.refundId);
    case 'unknown_seats':
      throw unknownSeats(decision.indexes);
  }
}
