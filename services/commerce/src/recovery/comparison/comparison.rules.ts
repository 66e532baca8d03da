import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RestoreDifference, RestoreRepair } from '@event-api/contracts/operator/restore';
import { isSeatId } from '@event-api/contracts/seat-ids';

/** Units of an add-on that a registration has. */
export interface UnitsOfRegistration {
  registrationId: string;
  addonId: string;
  quantity: number;
}

/** An order as commerce has it. */
export interface ComparedOrder {
  status: OrderStatus;
  /** Whether registration has cancelled what the order created. */
  isRevoked: boolean;
  registrationIds: readonly string[];
  /** The registrations and open seats that a refund or a change has cancelled. */
  revokedIds: readonly string[];
  /**
   * The registrations whose price was refunded, and which stayed unless they are in `revokedIds`.
   */
  retainedIds: readonly string[];
  /** What is left of the units of add-ons that a change has cancelled in part. */
  unitsLeft: readonly UnitsOfRegistration[];
  /** The changes that have given seats other ticket types, with the holders of these seats. */
  typeChanges: readonly { changeId: string; holderIds: readonly string[] }[];
}

/** The fulfilled reservation of an order as registration has it. */
export interface ComparedReservation {
  /** Its active registrations and open seats. */
  registrationIds: readonly string[];
  units: readonly UnitsOfRegistration[];
  /** Its changes of ticket types; null in the response of the previous release. */
  typeChanges: readonly string[] | null;
}

export interface Difference {
  difference: RestoreDifference;
  /** The lost registrations, or those that are active. */
  registrationIds: readonly string[];
  repair: RestoreRepair | null;
}

/**
 * Compares an order with its fulfilled reservation; null for one that its service does not have.
 * A hold that is not fulfilled needs no repair, because it ends by itself. An open order with a
 * fulfilled reservation becomes paid when its hold ends.
 */
export function compareOrder(
  order: ComparedOrder | null,
  reservation: ComparedReservation | null,
): Difference[] {
  // An order of a cancelled event has what it gets. The cancellation of the event goes on.
  if (order?.status === 'paid' && order.isRevoked) return [];
  if (!reservation) {
    if (order?.status !== 'paid') return [];
    const { registrationIds } = order;
    return [{ difference: 'paid_without_seats', registrationIds, repair: 'fulfil' }];
  }
  const { registrationIds } = reservation;
  if (registrationIds.length === 0) return [];
  if (!order) return [{ difference: 'seats_without_order', registrationIds, repair: null }];
  switch (order.status) {
    case 'cancelled':
      // A free order was cancelled after its fulfilment. No payment of it can be lost.
      return order.isRevoked
        ? [{ difference: 'seats_of_refunded_order', registrationIds, repair: 'revoke' }]
        : [{ difference: 'seats_of_closed_order', registrationIds, repair: null }];
    case 'expired':
      return [{ difference: 'seats_of_closed_order', registrationIds, repair: null }];
    case 'refunded':
      return compareRefunded(order, registrationIds);
    case 'paid':
      return comparePaid(order, reservation);
    default:
      return [];
  }
}

function compareRefunded(
  { isRevoked, retainedIds, revokedIds }: ComparedOrder,
  active: readonly string[],
): Difference[] {
  const retained = retainedIds.filter((id) => !revokedIds.includes(id));
  const registrationIds = active.filter((id) => !retained.includes(id));
  if (!isRevoked || registrationIds.length === 0) return [];
  // To revoke the order would cancel what was kept, too.
  const repair = retained.length > 0 ? 'revoke_seats' : 'revoke';
  return [{ difference: 'seats_of_refunded_order', registrationIds, repair }];
}

function comparePaid(
  order: ComparedOrder,
  { registrationIds: active, units, typeChanges }: ComparedReservation,
): Difference[] {
  const back = active.filter((id) => order.revokedIds.includes(id));
  const reopened = active.filter((id) => isSeatId(id) && !order.registrationIds.includes(id));
  const unitsBack = units.filter((each) =>
    order.unitsLeft.some((left) => isOfSame(left, each) && left.quantity < each.quantity),
  );
  const receivers = [...new Set(unitsBack.map(({ registrationId }) => registrationId))];
  const lostTypes = order.typeChanges
    .filter(({ changeId }) => typeChanges && !typeChanges.includes(changeId))
    .flatMap(({ holderIds }) => holderIds);
  const ofFormerType = active.filter((id) => lostTypes.includes(id) && !back.includes(id));
  const found: Difference[] = [
    { difference: 'assignments_lost', registrationIds: reopened, repair: 'reopen' },
    { difference: 'seats_of_refunded_order', registrationIds: back, repair: 'revoke_seats' },
    { difference: 'units_of_changed_order', registrationIds: receivers, repair: 'return_units' },
    { difference: 'types_of_changed_order', registrationIds: ofFormerType, repair: 'change_types' },
  ];
  return found.filter(({ registrationIds }) => registrationIds.length > 0);
}

const isOfSame = (a: UnitsOfRegistration, b: UnitsOfRegistration): boolean =>
  a.registrationId === b.registrationId && a.addonId === b.addonId;

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
