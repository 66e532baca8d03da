import { findUndeliverable } from '@event-api/contracts/internal/reservations';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { OrderRef } from '../orders/order-ref.ts';
import { findOpenPages } from './checkout.queries.ts';
import { groupByEvent } from './open-pages.rules.ts';
import { reservationOf } from './reservation-of.ts';

/** The most open pages of one turn. With more, each turn checks some of them. */
const maxPages = 500;

/**
 * Finds orders with an open payment page that cannot be delivered any more: an attendee has
 * registered elsewhere, or the recipient of an add-on is not registered any more. Of one business
 * unit, or of all with null. Errors: 503 if registration is unavailable.
 */
export async function findUndeliverableOrders(
  { db, registration }: { db: Database; registration: ServiceClient },
  businessUnitId: string | null,
): Promise<(OrderRef & { orderId: string })[]> {
  const orders = await findOpenPages(db, maxPages, businessUnitId);
  const found: (OrderRef & { orderId: string })[] = [];
  for (const { scope, orders: ofEvent } of groupByEvent(orders)) {
    const reservations = ofEvent.map(reservationOf);
    const { reservationIds } = await registration.call(findUndeliverable, {
      ...scope,
      reservations,
    });
    found.push(...reservationIds.map((orderId) => ({ ...scope, orderId })));
  }
  return found;
}
