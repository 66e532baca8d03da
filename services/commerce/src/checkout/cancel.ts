import { recordAudit } from '@event-api/platform/audit/write';
import { reachStep } from '@event-api/platform/core/steps';
import { alreadyPaid } from '../errors.ts';
import { lockOrder, type OrderRow } from '../orders/orders.queries.ts';
import { type CancelDecision, decideCancel } from '../orders/orders.rules.ts';
import { writeIntent } from '../orders/write.ts';
import type { PaymentDeps } from '../payments/session-input.ts';
import { type ApplyDeps, applyReceived } from './apply-settlement.ts';
import { expirePaymentsOfOrder } from './expire-payments-of-order.ts';
import { fulfilOrder, releaseOrder } from './fulfil.ts';
import { revokeFreeOrder } from './revoke-free-order.ts';

export type CancelDeps = ApplyDeps & PaymentDeps;

/**
 * Cancels an order: expires its payment session and releases its seats. A closed order stays as it
 * is. If the provider reports that the session is paid, the payment is applied instead. What a free
 * order has created is cancelled with it: no refund could do so.
 *
 * Errors: 412 `ALREADY_PAID` for an order with a payment; 503 if registration is unavailable. Locks:
 * the order, but not during a call to the provider or registration.
 */
export async function cancelOrder(deps: CancelDeps, id: string): Promise<OrderRow> {
  const order = await advanceCancel(deps, id);
  if (order.status === 'paid') throw alreadyPaid();
  return order;
}

/**
 * Completes a cancellation from any intermediate state. Safe to retry: the intent of the order says
 * whether the payment session may still have to be expired. Returns the order as stored.
 *
 * Errors: 503 if registration is unavailable; the sweep continues.
 */
export async function advanceCancel(deps: CancelDeps, id: string): Promise<OrderRow> {
  const order = await advance(deps, id);
  if (order.status !== 'paid' || order.totalAmount > 0) return order;
  // Registration had fulfilled the free order before: what it created is cancelled, too.
  return applyStep(deps, await decideNext(deps, id, { paymentExpired: false }));
}

async function advance(deps: CancelDeps, id: string): Promise<OrderRow> {
  const first = await decideNext(deps, id, { paymentExpired: false });
  reachStep('cancel.intended');
  if (first.decision.outcome !== 'expire_payment') return applyStep(deps, first);
  await expirePaymentsOfOrder(deps, id);
  await applyReceived(deps, id);
  reachStep('cancel.expired');
  return applyStep(deps, await decideNext(deps, id, { paymentExpired: true }));
}

interface Step {
  order: OrderRow;
  decision: CancelDecision;
}

const intents: Partial<Record<CancelDecision['outcome'], 'cancel' | 'release'>> = {
  expire_payment: 'cancel',
  release: 'release',
  revoke: 'release',
};

async function decideNext(
  { db }: CancelDeps,
  id: string,
  state: { paymentExpired: boolean },
): Promise<Step> {
  return db.transaction(async (tx) => {
    // An intent is not part of the response, so there is no change to report.
    const order = await lockOrder(tx, id);
    const decision = decideCancel(order, state);
    reachStep('order.decided');
    const intent = intents[decision.outcome];
    if (intent) {
      recordAudit(tx, { records: [id] });
      await writeIntent(tx, id, intent);
    }
    return { order, decision };
  });
}

async function applyStep(deps: CancelDeps, { order, decision }: Step): Promise<OrderRow> {
  if (decision.outcome === 'fulfil_first') return fulfilOrder(deps, order);
  if (decision.outcome !== 'release' && decision.outcome !== 'revoke') return order;
  reachStep('cancel.decided');
  return decision.outcome === 'release' ? releaseOrder(deps, order) : revokeFreeOrder(deps, order);
}
