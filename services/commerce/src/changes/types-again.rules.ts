import { seatIdOf } from '@event-api/contracts/seat-ids';
import { type PresentSeat, presentSeat, type Seat } from '../orders/lines.rules.ts';
import type { ChangeRequest } from './effect.rules.ts';

/** A seat that a change has given another ticket type, and what it is now. */
export interface ChangedSeat extends PresentSeat {
  id: string;
}

/**
 * The seats of changes that have happened, change by change. Each change gets what its seats are
 * now, so that no seat passes through a type that a later change has replaced.
 */
export const changedSeatsOf = (
  order: { id: string; seats: readonly Seat[] },
  changes: readonly { id: string; request: Pick<ChangeRequest, 'changeTypes'> }[],
): { changeId: string; seats: ChangedSeat[] }[] => {
  const present = order.seats.map((seat, n) => ({
    ...{ id: seatIdOf(order.id, n), ...presentSeat(seat) },
  }));
  return changes.map(({ id: changeId, request: { changeTypes = [] } }) => ({
    changeId,
    seats: changeTypes.flatMap(({ seatId }) => present.find(({ id }) => id === seatId) ?? []),
  }));
};
