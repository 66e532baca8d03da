import type { Database } from '@event-api/platform/db/database';
import { malformed, orderClosed } from '../errors.ts';
import { lockOrder, type OrderRow, reloadOrder, writeIntent } from '../orders/queries.ts';
import { decideConfirm, effectiveStatus } from '../orders/rules.ts';
import { requireDeliverable } from './check-attendees.ts';
import { type FulfilDeps, fulfilOrder } from './fulfil.ts';
import { openPayment, type PaymentDeps } from './open-payment.ts';
import { decideReturnUrls } from './return-urls/rules.ts';

export interface ConfirmDeps extends FulfilDeps, PaymentDeps {
  db: Database;
}

/**
 * Confirms an order: fulfils a free one, opens a payment page for any other. A retry returns the
 * same.
 *
 * Errors: 400 for the URLs of an order that is not free; 412 `ORDER_CLOSED`, `ATTENDEE_REGISTERED`,
 * `NOT_REGISTERED`, `PAYMENT_UNAVAILABLE`; 503 if registration or the provider is unavailable, and the hold stays.
 * Locks: the order.
 */
export async function confirmOrder(
  deps: ConfirmDeps,
  id: string,
  urls: { successUrl?: unknown; cancelUrl?: unknown },
): Promise<OrderRow> {
  const { order, decision } = await deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id, deps.faults.isDisabled('order.lock'));
    const decision = decideConfirm(order);
    await deps.faults.hit('order.decided');
    if (decision.outcome === 'fulfil' && order.intent === null) await writeIntent(tx, id, 'fulfil');
    return { order, decision };
  });
  await deps.faults.hit('confirm.intended');
  switch (decision.outcome) {
    case 'closed':
      throw orderClosed(effectiveStatus(order));
    case 'done':
      return order;
    case 'fulfil':
      await fulfilOrder(deps, order);
      return reloadPaidOrder(deps, id);
    case 'pay': {
      const returnUrls = decideReturnUrls(urls, order);
      if (returnUrls.outcome === 'invalid') throw malformed(returnUrls.issues);
      await requireDeliverable(deps, order);
      await openPayment(deps, order, returnUrls.urls);
      return reloadOrder(deps.db, id);
    }
  }
}

async function reloadPaidOrder(deps: ConfirmDeps, id: string): Promise<OrderRow> {
  const order = await reloadOrder(deps.db, id);
  if (order.status !== 'paid') throw orderClosed(effectiveStatus(order));
  return order;
}
