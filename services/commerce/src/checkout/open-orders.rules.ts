import type { EventScope } from '@event-api/contracts/internal/scope';

interface Page extends EventScope {
  seats: readonly unknown[];
}

/** A request is small enough for the limits of a body. */
const maxSeats = 200;
const maxOrders = 100;

/** Groups orders by event, and divides large groups into requests. */
export function groupByEvent<Order extends Page>(
  orders: readonly Order[],
): { scope: EventScope; orders: Order[] }[] {
  const groups: { scope: EventScope; orders: Order[] }[] = [];
  const open = new Map<string, { seats: number; orders: Order[] }>();
  for (const order of orders) {
    const { businessUnitId, eventId, seats } = order;
    const key = `${businessUnitId} ${eventId}`;
    let group = open.get(key);
    const isFull =
      group && (group.seats + seats.length > maxSeats || group.orders.length === maxOrders);
    if (!group || isFull) {
      group = { seats: 0, orders: [] };
      open.set(key, group);
      groups.push({ scope: { businessUnitId, eventId }, orders: group.orders });
    }
    group.seats += seats.length;
    group.orders.push(order);
  }
  return groups;
}

/** When registration found an order deliverable, and how far the projections had come by then. */
export interface Check {
  position: string;
  atMs: number;
}

/**
 * The orders that registration has to check: all but those that were checked and since then no
 * record of registration has changed. A check counts for `maxAgeMs` at most, because projections
 * can stop.
 */
export const decideUnchecked = <Order extends { id: string }>(
  orders: readonly Order[],
  checks: ReadonlyMap<string, Check>,
  { position, nowMs, maxAgeMs }: { position: string; nowMs: number; maxAgeMs: number },
): Order[] =>
  orders.filter(({ id }) => {
    const check = checks.get(id);
    return check?.position !== position || nowMs - check.atMs >= maxAgeMs;
  });
