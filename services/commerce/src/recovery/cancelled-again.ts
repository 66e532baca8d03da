import type { Fulfilment } from '@event-api/contracts/internal/reservations';
import { keptUnitsOf } from '../changes/cancelled-units.rules.ts';
import { registrationsOfLines } from '../orders/fulfilled-lines.rules.ts';
import type { CancelledUnits } from '../orders/lines.rules.ts';
import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';

/** What of a restored order was cancelled before. */
export interface CancelledAgain {
  /** The seats, by their new registrations or as open seats. */
  endedIds: string[];
  /** The cancelled units of its add-ons, with their new receivers. */
  cancelledAddons: CancelledUnits[];
  /** What these receivers keep. */
  units: ReturnType<typeof keptUnitsOf>;
  /** The registrations that the order had, each with the one that it gets in its place. */
  replaced: ReadonlyMap<string, string>;
}

/**
 * Decides what of an order is cancelled again when registration has created all of it again in a
 * restore. A seat that the order does not get is not its own to cancel.
 */
export function decideCancelledAgain(order: OrderRow, fulfilment: Fulfilment): CancelledAgain {
  const unfulfilled = order.lines.flatMap((line) => line.unfulfilledRegistrationIds);
  const before = order.lines.flatMap(({ seatCount, registrationIds }) =>
    Array.from({ length: seatCount }, (_, n) => registrationIds[n] ?? null),
  );
  const replaced = new Map(
    before.flatMap((id, n) => {
      const { registrationId, created } = fulfilment.seats[n] ?? {};
      const isReplaced =
        id !== null && registrationId !== undefined && created && registrationId !== id;
      return isReplaced && !unfulfilled.includes(id) ? [[id, registrationId] as const] : [];
    }),
  );
  // The projection forgets registrations that are lost, with their status.
  const decided = order.cancelledSeats.map(({ registrationId }) => registrationId);
  const endedIds = orderSeatsOf(order).flatMap(({ status }, n) => {
    const seat = fulfilment.seats[n];
    const isOwn = seat?.created === true && !unfulfilled.includes(before[n] ?? '');
    const hasEnded = status === 'cancelled' || decided.includes(before[n] ?? '');
    return isOwn && hasEnded ? seat.registrationId : [];
  });
  const cancelledAddons = order.cancelledAddons.map((each) => ({
    ...each,
    registrationId:
      each.registrationId && (replaced.get(each.registrationId) ?? each.registrationId),
  }));
  const registrationIds = registrationsOfLines(order, fulfilment);
  const lines = order.lines.map((line, n) => ({
    ...line,
    registrationIds: registrationIds[n] ?? [],
  }));
  const { addonRegistrationId } = fulfilment;
  const restored = { ...order, lines, cancelledAddons, addonRegistrationId };
  return { endedIds, cancelledAddons, units: keptUnitsOf(restored, cancelledAddons), replaced };
}
