import { revokeOrder, revokeSeats } from '@event-api/contracts/internal/reservations';
import { isSeatId } from '@event-api/contracts/seat-ids';
import { unavailable } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import type { CommerceMetrics } from '../metrics.ts';
import { changeOrder } from '../orders/change-order.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { markRevoked, writeCancelledSeats } from '../orders/write.ts';
import { withdrawRefund } from './withdraw.ts';
import type { ReceivedRegistration } from './withdrawal.rules.ts';

interface RevokeDeps {
  db: Database;
  registration: ServiceClient;
  metrics: CommerceMetrics;
}

/**
 * Revokes the registrations of a fully refunded order, or of a free order that was cancelled. Stays
 * unfinished, to be retried, while the fulfilment of an order that gets one of them is not stored.
 * Errors: 503 if registration is unavailable. Locks: each order that gets a registration.
 */
export async function revokeRefundedOrder(deps: RevokeDeps, order: OrderRow): Promise<void> {
  if (!(await revokeDelivered(deps, order))) return;
  await deps.db.transaction((tx) => markRevoked(tx, order.id, serializeCurrentToken()));
}

/**
 * Cancels the registrations of an order and removes its add-ons. What another order gets from it is
 * not owed to that order any more. Returns false, to be retried, while the fulfilment of such an
 * order is not stored. Errors: 503 if registration is unavailable. Locks: each order that gets a
 * registration.
 */
export async function revokeDelivered(
  deps: RevokeDeps,
  { id: orderId, businessUnitId, eventId }: OrderRow,
): Promise<boolean> {
  const order = { businessUnitId, eventId, orderId };
  const { handedOver } = await deps.registration.call(revokeOrder, order);
  reachStep('revoke.responded');
  return withdrawHandedOver(deps, handedOver);
}

/**
 * Cancels registrations of an order whose price is refunded, with their add-ons. An open seat is
 * named by its own id, released, and stored as cancelled in the order. Safe to retry. Errors: 503 if
 * registration is unavailable, or while the fulfilment of an order that gets one of them is not
 * stored. Locks: the order for its open seats, then each order that gets a registration.
 */
export async function revokeChosenSeats(
  deps: RevokeDeps,
  {
    orderId,
    businessUnitId,
    eventId,
  }: { orderId: string; businessUnitId: string; eventId: string },
  registrationIds: readonly string[],
): Promise<void> {
  const order = { businessUnitId, eventId, orderId };
  const { handedOver = [] } = await deps.registration.call(revokeSeats, {
    ...order,
    registrationIds: [...registrationIds],
  });
  reachStep('refund.seats_revoked');
  const seatIds = registrationIds.filter(isSeatId);
  if (seatIds.length > 0) {
    await deps.db.transaction((tx) =>
      changeOrder(tx, orderId, () => writeCancelledSeats(tx, orderId, seatIds)),
    );
  }
  if (await withdrawHandedOver(deps, handedOver)) return;
  throw unavailable(new Error('an order that gets a registration is not fulfilled yet'));
}

/** What an order gets from another one is not owed to it any more. */
async function withdrawHandedOver(
  { db, metrics }: RevokeDeps,
  handedOver: readonly (ReceivedRegistration & { orderId: string })[],
): Promise<boolean> {
  for (const received of handedOver) {
    const result = await db.transaction((tx) => withdrawRefund(tx, received.orderId, received));
    if (result.outcome === 'unfinished') return false;
    if (result.becamePaid) metrics.orderTransition({ status: 'paid', lagSeconds: null });
    reachStep('refund.withdrawn');
  }
  return true;
}
