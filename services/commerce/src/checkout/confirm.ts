import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import { malformed, orderClosed } from '../errors.ts';
import { type OrderRow, reloadOrder } from '../orders/orders.queries.ts';
import {
  type ConfirmDecision,
  decideConfirm,
  effectiveStatus,
  isFulfilling,
  mayBeUndeliverable,
} from '../orders/orders.rules.ts';
import { writeFulfilIntent } from '../orders/write.ts';
import { decideReturnUrls } from '../payments/return-urls.rules.ts';
import { timeouts } from '../timeouts.ts';
import { advanceCancel, type CancelDeps } from './cancel.ts';
import { findDeliveryRefusal, requireDeliverable } from './check-attendees.ts';
import { type FulfilDeps, fulfilOrder } from './fulfil.ts';
import { openPayment } from './open-payment.ts';

export type ConfirmDeps = FulfilDeps & CancelDeps;

/**
 * Confirms an order as it was read: fulfils a free one, opens a payment page for any other. A retry
 * returns the same, unless the order can no longer be delivered: then its page is expired and the
 * order is cancelled.
 *
 * Errors: 400 for the URLs of an order that is not free; 412 `ORDER_CLOSED`, `ATTENDEE_REGISTERED`,
 * `NOT_REGISTERED`, `EVENT_CANCELLED`, `PAYMENT_UNAVAILABLE`; 503 if registration or the provider
 * is unavailable, and the hold stays.
 */
export async function confirmOrder(
  deps: ConfirmDeps,
  read: OrderRow,
  urls: { successUrl?: unknown; cancelUrl?: unknown },
): Promise<OrderRow> {
  const { order, decision } = await decideAndStore(deps, read);
  reachStep('confirm.intended');
  switch (decision.outcome) {
    case 'closed':
      throw await explainClosed(deps, order);
    case 'done':
      return order.status === 'awaiting_payment' ? keepPayable(deps, order) : order;
    case 'fulfil':
      return requirePaid(deps, await fulfilOrder(deps, order));
    case 'pay': {
      const returnUrls = decideReturnUrls(urls, order);
      if (returnUrls.outcome === 'invalid') throw malformed(returnUrls.issues);
      await requireDeliverable(deps, order);
      return openPayment(deps, order, returnUrls.urls);
    }
  }
}

/**
 * Returns an order with an open page if what it pays for can still be delivered. Otherwise the order
 * is cancelled, so that no one pays for it; a page that is already paid is applied first.
 */
async function keepPayable(deps: ConfirmDeps, order: OrderRow): Promise<OrderRow> {
  const refusal = await findDeliveryRefusal(deps, order);
  if (!refusal) return order;
  const ended = await advanceCancel(deps, order.id);
  if (ended.status === 'cancelled') throw refusal;
  return requirePaid(deps, ended);
}

/** An order that was cancelled because it cannot be delivered is refused with that cause. */
async function explainClosed(deps: ConfirmDeps, order: OrderRow): Promise<Error> {
  const closed = orderClosed(effectiveStatus(order));
  if (!mayBeUndeliverable(order)) return closed;
  return (await findDeliveryRefusal(deps, order)) ?? closed;
}

/**
 * Decides about the order and stores the intent to fulfil it, if it has not changed since it was
 * read. Otherwise it is read and decided again: each change is one step towards an end, so a few
 * attempts are enough.
 */
async function decideAndStore(
  { db }: ConfirmDeps,
  read: OrderRow,
): Promise<{ order: OrderRow; decision: ConfirmDecision }> {
  let order = read;
  for (let attempt = 1; attempt <= timeouts.confirmAttempts; attempt++) {
    const decision = decideConfirm(order);
    reachStep('order.decided');
    if (decision.outcome !== 'fulfil' || isFulfilling(order)) return { order, decision };
    const stored = await writeFulfilIntent(db, order);
    if (stored) return { order: stored, decision };
    order = await reloadOrder(db, order.id);
  }
  throw unavailable(new Error('the order changes all the time'));
}

async function requirePaid(deps: ConfirmDeps, order: OrderRow): Promise<OrderRow> {
  if (order.status !== 'paid') throw await explainClosed(deps, order);
  return order;
}
