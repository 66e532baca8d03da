import type { OrderRow } from '../orders/queries.ts';
import { applyReceived } from './apply-settlement.ts';
import type { CancelDeps } from './cancel.ts';
import { expirePaymentsOfOrder } from './expire-payments-of-order.ts';
import { expireOrder } from './fulfil.ts';

/**
 * Closes an order whose hold has ended. Its payment session is ended first: if the provider says that it is paid,
 * the order is settled. Without a response within a second the order expires, and the session is ended later.
 *
 * Errors: 503 when registration is unavailable, with the order unchanged.
 */
export async function expireHold(deps: CancelDeps, order: OrderRow): Promise<void> {
  if (order.status === 'awaiting_payment') {
    await expirePaymentsOfOrder(deps, order.id);
    await applyReceived(deps, order.id);
  }
  await expireOrder(deps, order);
}
