import type { AdmissionState, OrderLimits } from '../seats/seats.rules.ts';
import { countUnits, type RequestedUnits } from './addon-units.rules.ts';
import type { AssignedSeat, RequestedSeat } from './seat-sources.rules.ts';

/**
 * An order with fewer or more units of an item than it may have. `seat` or `unit` is the index of
 * the first one of the item that the limit applies to.
 */
export type OrderLimitRefusal = { outcome: 'refused' } & {
  reason: 'BELOW_ORDER_MINIMUM' | 'ABOVE_ORDER_MAXIMUM';
  seat?: number;
  unit?: number;
  limit: number;
  requested: number;
};

/**
 * The first limit of a ticket type or an add-on that an order does not keep. All its units count,
 * those in bundles included. The minimum applies if the item is also ordered by itself. A seat that
 * was offered to a waitlisted registration counts and is never a reason to refuse the order.
 */
export function findOrderLimit(
  { types, addons }: Pick<AdmissionState, 'types' | 'addons'>,
  { seats, units }: { seats: readonly RequestedSeat[]; units: readonly RequestedUnits[] },
  assigned: readonly AssignedSeat[],
): OrderLimitRefusal | undefined {
  const newSeats = seats.flatMap(({ ticketTypeId, inBundle }, seat) =>
    assigned[seat]?.source === 'offer' ? [] : [{ ticketTypeId, inBundle, seat }],
  );
  for (const id of new Set(newSeats.map(({ ticketTypeId }) => ticketTypeId))) {
    const requested = seats.filter(({ ticketTypeId }) => ticketTypeId === id).length;
    const ofType = newSeats.filter(({ ticketTypeId }) => ticketTypeId === id);
    const broken = brokenLimit(types.get(id), requested, ofType);
    if (broken) return { ...broken.refusal, seat: broken.of.seat };
  }
  const numbered = units.map((each, unit) => ({ ...each, unit }));
  for (const [id, requested] of countUnits(units)) {
    const ofAddon = numbered.filter(({ addonId }) => addonId === id);
    const broken = brokenLimit(addons.get(id), requested, ofAddon);
    if (broken) return { ...broken.refusal, unit: broken.of.unit };
  }
}

/** The limit that a number of units breaks, and the first of them that it applies to. */
function brokenLimit<Entry extends { inBundle: boolean }>(
  limits: OrderLimits | undefined,
  requested: number,
  entries: readonly Entry[],
): { refusal: Omit<OrderLimitRefusal, 'seat' | 'unit'>; of: Entry } | null {
  if (!limits) return null;
  const { minPerOrder, maxPerOrder } = limits;
  const single = entries.find(({ inBundle }) => !inBundle);
  if (minPerOrder !== null && single && requested < minPerOrder) {
    const reason = 'BELOW_ORDER_MINIMUM';
    return { refusal: { outcome: 'refused', reason, limit: minPerOrder, requested }, of: single };
  }
  const [first] = entries;
  if (maxPerOrder === null || !first || requested <= maxPerOrder) return null;
  const reason = 'ABOVE_ORDER_MAXIMUM';
  return { refusal: { outcome: 'refused', reason, limit: maxPerOrder, requested }, of: first };
}

/** How many seats of a ticket type an order has before and after a change. */
export interface ChangedCount {
  ticketTypeId: string;
  before: number;
  after: number;
  /** Whether bundles have all of them after the change. */
  isBundled: boolean;
}

/** A limit that an order breaks by a change. */
export interface ChangedLimitRefusal extends Omit<OrderLimitRefusal, 'seat' | 'unit'> {
  ticketTypeId: string;
}

/**
 * The first limit of a ticket type that a change of an order breaks. One that is broken before, such
 * as by a cancelled seat or a later limit, is none as long as the change brings the order no further
 * from it. The minimum applies as in `findOrderLimit`, and not to an order without a seat of the type.
 */
export function findChangedLimit(
  types: ReadonlyMap<string, OrderLimits>,
  counts: readonly ChangedCount[],
): ChangedLimitRefusal | null {
  for (const { ticketTypeId, before, after, isBundled } of counts) {
    const { minPerOrder = null, maxPerOrder = null } = types.get(ticketTypeId) ?? {};
    const refused = { outcome: 'refused', ticketTypeId, requested: after } as const;
    const isFewer = after > 0 && (before === 0 || after < before);
    if (minPerOrder !== null && !isBundled && isFewer && after < minPerOrder) {
      return { ...refused, reason: 'BELOW_ORDER_MINIMUM', limit: minPerOrder };
    }
    if (maxPerOrder !== null && after > before && after > maxPerOrder) {
      return { ...refused, reason: 'ABOVE_ORDER_MAXIMUM', limit: maxPerOrder };
    }
  }
  return null;
}
