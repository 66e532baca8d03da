import {
  type Fulfilment,
  fulfilReservation,
  releaseReservation,
} from '@event-api/contracts/internal/reservations';
import type { Faults } from '@event-api/platform/core/faults';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { serializeCurrentToken } from '@event-api/platform/messaging/read-after/scope';
import type { CommerceMetrics } from '../metrics.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { isCancelling } from '../orders/orders.rules.ts';
import { closeFreeOrder, closeOrder } from './close.ts';
import { keyOf, reservationOf } from './reservation-of.ts';

export interface FulfilDeps {
  db: Database;
  registration: ServiceClient;
  faults: Faults;
  metrics: CommerceMetrics;
}

/**
 * Fulfils an order whose intent or settlement is stored, and stores the result. Safe to retry: a
 * reservation is fulfilled once. Expired seats are acquired again if they are available and the
 * order is not being cancelled. Otherwise the reservation is closed for good before the order is.
 * Returns the order as stored, or null if it has to be read again.
 * Errors: 503, with nothing stored.
 */
export async function fulfilOrder(deps: FulfilDeps, order: OrderRow): Promise<OrderRow | null> {
  const { db, registration, faults, metrics } = deps;
  const reservation = reservationOf(order);
  const result = await registration.call(fulfilReservation, {
    ...reservation,
    reacquire: !isCancelling(order),
  });
  await faults.hit('fulfil.responded');
  if (result.outcome === 'unfulfillable') {
    await releaseOrder(deps, order);
    return null;
  }
  const closed =
    result.outcome === 'fulfilled' && order.totalAmount === 0
      ? await closeFreeOrder(db, order, result, faults)
      : null;
  metrics.orderTransition(
    closed
      ? { status: 'paid', lagSeconds: null }
      : await db.transaction((tx) =>
          closeOrder(tx, order.id, result, serializeCurrentToken(), faults),
        ),
  );
  await faults.hit('fulfil.written');
  return closed;
}

/**
 * Releases the reservation of an order for good and stores the result.
 * Errors: 503, with nothing stored.
 */
export async function releaseOrder(deps: FulfilDeps, order: OrderRow): Promise<void> {
  const { db, registration, faults, metrics } = deps;
  const { outcome } = await registration.call(releaseReservation, keyOf(order));
  await faults.hit('release.responded');
  if (outcome === 'fulfilled') return writeFulfilled(deps, order);
  if (outcome === 'active') throw new Error('released reservation is still active');
  metrics.orderTransition(
    await db.transaction((tx) => closeOrder(tx, order.id, { outcome }, null, faults)),
  );
}

/** Marks an order as expired if its reservation has expired. Errors: 503, with nothing stored. */
export async function expireOrder(deps: FulfilDeps, order: OrderRow): Promise<void> {
  const { outcome } = await deps.registration.call(releaseReservation, {
    ...keyOf(order),
    onlyIfExpired: true,
  });
  // The clock of registration is behind: the reservation has not expired yet.
  if (outcome === 'active') return;
  if (outcome === 'fulfilled') return writeFulfilled(deps, order);
  const { db, metrics, faults } = deps;
  metrics.orderTransition(
    await db.transaction((tx) => closeOrder(tx, order.id, { outcome }, null, faults)),
  );
}

/** Marks an order as paid whose reservation is already fulfilled. */
async function writeFulfilled(
  { db, registration, metrics, faults }: FulfilDeps,
  order: OrderRow,
): Promise<void> {
  const result = await registration.call(fulfilReservation, {
    ...reservationOf(order),
    reacquire: false,
  });
  const fulfilled = result as Fulfilment;
  if (result.outcome !== 'fulfilled') throw new Error('fulfilled reservation is not fulfilled');
  metrics.orderTransition(
    await db.transaction((tx) =>
      closeOrder(tx, order.id, fulfilled, serializeCurrentToken(), faults),
    ),
  );
}
