import type { OrderRow } from '../orders/orders.queries.ts';
import { applyReceived } from './apply-settlement.ts';
import type { CancelDeps } from './cancel.ts';
import { expirePaymentsOfOrder } from './expire-payments-of-order.ts';
import { expireOrder } from './fulfil.ts';

/**
 * Closes an order whose hold has expired. Its payment session is expired first; if the provider
 * reports that it is paid, the payment is applied. Without a response within a second the order
 * expires, and the session is expired later.
 *
 * Errors: 503 if registration is unavailable; the order is unchanged.
 */
export async function expireHold(deps: CancelDeps, order: OrderRow): Promise<void> {
  if (order.status === 'awaiting_payment') {
    await expirePaymentsOfOrder(deps, order.id);
    await applyReceived(deps, order.id);
  }
  await expireOrder(deps, order);
}
