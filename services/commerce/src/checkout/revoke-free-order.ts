import { releaseReservation } from '@event-api/contracts/internal/reservations';
import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Tx } from '@event-api/platform/db/database';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { isRevoking } from '../orders/orders.rules.ts';
import { markRevoked, writeStatus } from '../orders/write.ts';
import { revokeDelivered } from '../refunds/revoke.ts';
import type { FulfilDeps } from './fulfil.ts';
import { keyOf } from './reservation-of.ts';

/**
 * Cancels what a fulfilled order without a price has created, and then the order. Its intent is
 * stored, so that the sweep completes an interrupted run. Safe to retry. Returns the order as stored.
 *
 * Errors: 503 if registration is unavailable, or while the fulfilment of an order that gets one of
 * the registrations is not stored. Locks: the order, and each order that gets a registration.
 * Reports: `order.cancelled`.
 */
export async function revokeFreeOrder(deps: FulfilDeps, order: OrderRow): Promise<OrderRow> {
  const { db, registration, metrics } = deps;
  // After a restore of registration, an earlier fulfilment could still arrive and create the seats.
  await registration.call(releaseReservation, keyOf(order));
  if (!(await revokeDelivered(deps, order))) {
    throw unavailable(new Error('an order that gets a registration is not fulfilled yet'));
  }
  const token = serializeCurrentToken();
  const { order: stored, result } = await db.transaction((tx) =>
    changeOrder(tx, order.id, (locked) => storeCancelled(tx, locked, token)),
  );
  if (result) metrics.orderTransition({ status: 'cancelled', lagSeconds: null });
  reachStep('cancel.revoked');
  return stored;
}

async function storeCancelled(tx: Tx, order: OrderRow, token: string | null): Promise<boolean> {
  if (!isRevoking(order)) return false;
  await writeStatus(tx, order.id, 'cancelled');
  await markRevoked(tx, order.id, token);
  return true;
}
