import { findUndeliverable } from '@event-api/contracts/internal/reservations';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { OrderRef } from '../orders/order-ref.ts';
import { timeouts } from '../timeouts.ts';
import { findOpenOrders, type OpenOrder, readPosition } from './checkout.queries.ts';
import { type Check, decideUnchecked, groupByEvent } from './open-orders.rules.ts';
import { reservationOf } from './reservation-of.ts';

/** The most open orders of one turn. With more, each turn checks some of them. */
const maxOrders = 500;

/** The orders that registration has found deliverable, by id. */
export type Checks = Map<string, Check>;

/**
 * Finds open orders that cannot be delivered any more: a registration was cancelled whose offer the
 * order has taken, or, with an open payment page, an attendee has registered elsewhere or the
 * recipient of an add-on is not registered any more. Of one business unit, or of all with null.
 * Leaves out what `checks` says, and adds to it.
 * Errors: 503 if registration is unavailable.
 */
export async function findUndeliverableOrders(
  { db, registration }: { db: Database; registration: ServiceClient },
  businessUnitId: string | null,
  checks: Checks,
): Promise<(OrderRef & { orderId: string })[]> {
  const orders = await findOpenOrders(db, maxOrders, businessUnitId);
  const [nowMs, maxAgeMs] = [performance.now(), timeouts.deliverableMs];
  for (const [id, { atMs }] of checks) if (nowMs - atMs >= maxAgeMs) checks.delete(id);
  if (orders.length === 0) return [];
  // Read before the check, so that a later change causes another request.
  const position = await readPosition(db);
  const unchecked = decideUnchecked(orders, checks, { position, nowMs, maxAgeMs });
  const found: (OrderRef & { orderId: string })[] = [];
  for (const { scope, orders: ofEvent } of groupByEvent(unchecked.map(questionOf))) {
    const reservations = ofEvent.map(reservationOf);
    const { reservationIds } = await registration.call(findUndeliverable, {
      ...scope,
      reservations,
    });
    found.push(...reservationIds.map((orderId) => ({ ...scope, orderId })));
    for (const { id } of ofEvent) {
      if (!reservationIds.includes(id)) checks.set(id, { position, atMs: nowMs });
    }
  }
  return found;
}

/**
 * Nobody can pay for an order without a page, and its confirmation asks about attendees and
 * add-ons. So only its offers are in question.
 */
const questionOf = (order: OpenOrder): OpenOrder =>
  order.status === 'held' ? { ...order, seats: [], addonIds: [], addons: [] } : order;
