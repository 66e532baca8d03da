import type { SeatTypesResult } from '@event-api/contracts/internal/reservations';
import { seatIdOf } from '@event-api/contracts/seat-ids';
import type { Seat } from '../orders/lines.rules.ts';
import type { OrderState } from '../orders/orders.rules.ts';
import type { ChangeRequest } from './effect.rules.ts';

interface MovingOrder extends Pick<OrderState, 'status'> {
  id: string;
  seats: readonly Pick<Seat, 'changedTo'>[];
}

interface MovingChange {
  state: 'quoted' | 'awaiting_payment' | 'moving' | 'executing' | 'done';
  request: Pick<ChangeRequest, 'changeTypes'>;
}

/** What becomes of a change when registration has decided about its ticket types. */
export type MovingDecision =
  | 'store'
  /** Another run has stored it. */
  | 'stored'
  /** Nothing has happened, and the quote ends. */
  | 'end'
  /** Another run has ended the quote. */
  | 'ended'
  /** The seats of a paid order are lost in a restore and not created again yet. */
  | 'wait';

/** Decides about a change in the state of its order now, which may be another than before the call. */
export function decideMoving(
  order: MovingOrder,
  change: MovingChange,
  result: SeatTypesResult['outcome'],
): MovingDecision {
  const { state } = change;
  if (state === 'quoted') return 'ended';
  if (state === 'executing' || (state === 'done' && areSeatsStored(order, change))) return 'stored';
  // Only a paid order gets lost seats again.
  if (result === 'unknown') return order.status === 'paid' ? 'wait' : 'end';
  return result === 'refused' ? 'end' : 'store';
}

/**
 * Whether the seats of a change have other types than were sold. The previous release, which does
 * not know `moving`, marks a change as done and stores nothing of it.
 */
const areSeatsStored = (
  { id, seats }: MovingOrder,
  { request: { changeTypes = [] } }: Pick<MovingChange, 'request'>,
): boolean => {
  const changed = seats.flatMap(({ changedTo }, n) => (changedTo ? seatIdOf(id, n) : []));
  return changeTypes.every(({ seatId }) => changed.includes(seatId));
};
