import { alreadyPaid } from '../errors.ts';
import { lockOrder, type OrderRow, reloadOrder, writeIntent } from '../orders/queries.ts';
import { type CancelDecision, decideCancel } from '../orders/rules.ts';
import { type ApplyDeps, applyReceived } from './apply-settlement.ts';
import { expirePaymentsOfOrder } from './expire-payments-of-order.ts';
import { fulfilOrder, releaseOrder } from './fulfil.ts';
import type { PaymentDeps } from './open-payment.ts';

export type CancelDeps = ApplyDeps & PaymentDeps;

/**
 * Cancels an order: ends its payment session and releases its places. A closed order stays as it is. If the provider
 * says that the session is paid, the order is settled instead.
 *
 * Errors: 412 `ALREADY_PAID`; 503 when registration is unavailable. Locks: the order, and never while the provider
 * or registration is called.
 */
export async function cancelOrder(deps: CancelDeps, id: string): Promise<OrderRow> {
  await advanceCancel(deps, id);
  const order = await reloadOrder(deps.db, id);
  if (order.status === 'paid') throw alreadyPaid();
  return order;
}

/**
 * Takes a cancellation to its end from wherever it stopped. Repeating it is safe: the intent on the order says
 * whether the session may still have to be ended.
 *
 * Errors: 503 when registration is unavailable; the repeat job continues.
 */
export async function advanceCancel(deps: CancelDeps, id: string): Promise<void> {
  const first = await decideNext(deps, id, { paymentExpired: false });
  await deps.faults.hit('cancel.intended');
  if (first.decision.outcome !== 'expire_payment') return applyStep(deps, first);
  await expirePaymentsOfOrder(deps, id);
  await applyReceived(deps, id);
  await deps.faults.hit('cancel.ended');
  await applyStep(deps, await decideNext(deps, id, { paymentExpired: true }));
}

interface Step {
  order: OrderRow;
  decision: CancelDecision;
}

async function decideNext(
  { db, faults }: CancelDeps,
  id: string,
  state: { paymentExpired: boolean },
): Promise<Step> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, id, faults.isDisabled('order.lock'));
    const decision = decideCancel(order, state);
    await faults.hit('order.judged');
    if (decision.outcome === 'expire_payment') await writeIntent(tx, id, 'cancel');
    if (decision.outcome === 'release') await writeIntent(tx, id, 'release');
    return { order, decision };
  });
}

async function applyStep(deps: CancelDeps, { order, decision }: Step): Promise<void> {
  if (decision.outcome === 'fulfil_first') await fulfilOrder(deps, order);
  if (decision.outcome !== 'release') return;
  await deps.faults.hit('cancel.decided');
  await releaseOrder(deps, order);
}
