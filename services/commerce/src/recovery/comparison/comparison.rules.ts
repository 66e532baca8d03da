import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RestoreDifference } from '@event-api/contracts/operator/restore';

/** An order as commerce has it. */
export interface ComparedOrder {
  status: OrderStatus;
  /** Whether registration has cancelled what the order created. */
  isRevoked: boolean;
  registrationIds: readonly string[];
  /** The registrations that were cancelled with the refund of their price or by a change. */
  revokedIds: readonly string[];
  /**
   * The registrations whose price was refunded, and which stayed unless they are in `revokedIds`.
   */
  retainedIds: readonly string[];
}

export type Comparison =
  | { outcome: 'consistent' }
  | {
      outcome: 'differs';
      difference: RestoreDifference;
      /** The lost registrations, or those that are active. */
      registrationIds: readonly string[];
      repair: 'fulfil' | 'revoke' | null;
    };

/**
 * Compares an order with its fulfilled reservation; null for one that its service does not have.
 * `active` are the active registrations of the order. A hold that is not fulfilled needs no repair,
 * because it ends by itself. An open order with a fulfilled reservation becomes paid when its hold
 * ends.
 */
export function compareOrder(
  order: ComparedOrder | null,
  reservation: { active: readonly string[] } | null,
): Comparison {
  if (!reservation) {
    if (order?.status !== 'paid') return { outcome: 'consistent' };
    const { registrationIds } = order;
    return {
      outcome: 'differs',
      difference: 'paid_without_seats',
      registrationIds,
      repair: 'fulfil',
    };
  }
  const { active: registrationIds } = reservation;
  if (registrationIds.length === 0) return { outcome: 'consistent' };
  const differs = (
    difference: RestoreDifference,
    repair: 'revoke' | null,
    ids: readonly string[] = registrationIds,
  ): Comparison => ({ outcome: 'differs', difference, registrationIds: ids, repair });
  if (!order) return differs('seats_without_order', null);
  switch (order.status) {
    case 'cancelled':
      // A free order was cancelled after its fulfilment. No payment of it can be lost.
      return order.isRevoked
        ? differs('seats_of_refunded_order', 'revoke')
        : differs('seats_of_closed_order', null);
    case 'expired':
      return differs('seats_of_closed_order', null);
    case 'refunded': {
      const { isRevoked, retainedIds, revokedIds } = order;
      const retained = retainedIds.filter((id) => !revokedIds.includes(id));
      const lost = registrationIds.filter((id) => !retained.includes(id));
      if (!isRevoked || lost.length === 0) return { outcome: 'consistent' };
      // To revoke the order would cancel what was kept, too.
      return differs('seats_of_refunded_order', retained.length > 0 ? null : 'revoke', lost);
    }
    default: {
      const lost = registrationIds.filter((id) => order.revokedIds.includes(id));
      if (lost.length === 0) return { outcome: 'consistent' };
      return differs('seats_of_refunded_order', null, lost);
    }
  }
}

interface Row {
  orderId: string;
}

/** Orders and reservations up to an id. `next` is that id, or null after the last ones. */
export interface AlignedPage<Order extends Row, Reservation extends Row> {
  rows: { orderId: string; order: Order | null; reservation: Reservation | null }[];
  next: string | null;
}

/**
 * Pairs a page of orders with a page of reservations; both begin after the same id and are sorted
 * by id. A full page says nothing about greater ids than its last one, so that rows beyond it
 * belong to the next page.
 */
export function alignPages<Order extends Row, Reservation extends Row>(
  orders: readonly Order[],
  reservations: readonly Reservation[],
  limit: number,
): AlignedPage<Order, Reservation> {
  const ends = [orders, reservations].flatMap((rows) =>
    rows.length === limit ? (rows.at(-1)?.orderId ?? []) : [],
  );
  const next = ends.toSorted()[0] ?? null;
  const inPage = <Each extends Row>(rows: readonly Each[]) =>
    new Map(
      rows
        .filter(({ orderId }) => next === null || orderId <= next)
        .map((row) => [row.orderId, row]),
    );
  const [orderOf, reservationOf] = [inPage(orders), inPage(reservations)];
  const ids = new Set([...orderOf.keys(), ...reservationOf.keys()]);
  const rows = [...ids].map((orderId) => ({
    orderId,
    order: orderOf.get(orderId) ?? null,
    reservation: reservationOf.get(orderId) ?? null,
  }));
  return { rows, next };
}
