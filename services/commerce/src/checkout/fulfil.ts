import { fulfilReservation, releaseReservation } from '@event-api/contracts/internal/reservations';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import type { CommerceMetrics } from '../metrics.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { isCancelling } from '../orders/orders.rules.ts';
import { closeFulfilledOrder, closeOrder } from './close.ts';
import { fulfilmentOf, keyOf } from './reservation-of.ts';

export interface FulfilDeps {
  db: Database;
  registration: ServiceClient;
  metrics: CommerceMetrics;
}

/**
 * Fulfils an order whose intent or settlement is stored, and stores the result. Safe to retry: a
 * reservation is fulfilled once. Expired seats are acquired again if they are available and the
 * order is not being cancelled. Otherwise the reservation is released for good, and then the order
 * is closed. An unchanged order is closed in one statement, any other one under its lock. Returns the
 * order as stored.
 * Errors: 503, with nothing stored.
 */
export async function fulfilOrder(deps: FulfilDeps, order: OrderRow): Promise<OrderRow> {
  const { db, registration, metrics } = deps;
  const result = await registration.call(
    fulfilReservation,
    fulfilmentOf(order, { reacquire: !isCancelling(order) }),
  );
  reachStep('fulfil.responded');
  if (result.outcome === 'unfulfillable') return releaseOrder(deps, order);
  const closed =
    result.outcome === 'fulfilled' ? await closeFulfilledOrder(db, order, result) : null;
  if (closed) metrics.orderTransition(closed.result);
  const stored = closed?.order ?? (await close(deps, order, result));
  reachStep('fulfil.written');
  return stored;
}

/**
 * Releases the reservation of an order for good and stores the result. Returns the order as stored.
 * Errors: 503, with nothing stored.
 */
export async function releaseOrder(deps: FulfilDeps, order: OrderRow): Promise<OrderRow> {
  const { registration } = deps;
  const { outcome } = await registration.call(releaseReservation, keyOf(order));
  reachStep('release.responded');
  if (outcome === 'fulfilled') return closeFulfilledBefore(deps, order);
  if (outcome === 'active') throw new Error('released reservation is still active');
  return close(deps, order, { outcome });
}

/** Marks an order as expired if its reservation has expired. Errors: 503, with nothing stored. */
export async function expireOrder(deps: FulfilDeps, order: OrderRow): Promise<void> {
  const { outcome } = await deps.registration.call(releaseReservation, {
    ...keyOf(order),
    onlyIfExpired: true,
  });
  // The clock of registration is behind: the reservation has not expired yet.
  if (outcome === 'active') return;
  if (outcome === 'fulfilled') await closeFulfilledBefore(deps, order);
  else await close(deps, order, { outcome });
}

/** Marks an order as paid whose reservation an earlier run has fulfilled, and reads its result again. */
async function closeFulfilledBefore(deps: FulfilDeps, order: OrderRow): Promise<OrderRow> {
  const result = await deps.registration.call(
    fulfilReservation,
    fulfilmentOf(order, { reacquire: false }),
  );
  if (result.outcome !== 'fulfilled') throw new Error('fulfilled reservation is not fulfilled');
  return close(deps, order, result);
}

/** Stores the final status of an order under its lock, and returns the order. */
async function close(
  { db, metrics }: FulfilDeps,
  { id }: OrderRow,
  reservation: Parameters<typeof closeOrder>[2],
): Promise<OrderRow> {
  const readAfterToken = reservation.outcome === 'fulfilled' ? serializeCurrentToken() : null;
  const { order, result } = await db.transaction((tx) =>
    closeOrder(tx, id, reservation, readAfterToken),
  );
  metrics.orderTransition(result);
  return order;
}
