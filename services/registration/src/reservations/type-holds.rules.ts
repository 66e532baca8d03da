import type { TypeRefusal } from '@event-api/contracts/internal/reservations';
import {
  type AdmissionState,
  type Change,
  isExpired,
  type ReservationState,
} from '../seats/seats.rules.ts';
import { emptyReservation } from './reservations.rules.ts';
import {
  findRefusal,
  isPresent,
  movesOf,
  needsSeat,
  seatCancelled,
  type TypeChangeRequest,
} from './type-changes.rules.ts';

export interface TypeHoldRequest
  extends Pick<TypeChangeRequest, 'orderId' | 'changeId' | 'seats' | 'counts'> {
  reservationMs: number;
}

export type TypeHoldDecision =
  /** The changes are none if an earlier request was decided so. */
  | { outcome: 'held'; expiresAt: Date; changes: Change[] }
  | TypeRefusal
  /** Registration does not have the order. */
  | { outcome: 'unknown' };

/**
 * Decides whether the seats of a change of ticket types are held until it is paid: all of them or none,
 * under the rules of the change itself. The former seats stay as they are, so that a capacity group
 * needs room for both. A hold is a reservation under the id of the change. One that has ended, or was
 * released before it arrived, stays closed.
 */
export function decideTypeHold(state: AdmissionState, request: TypeHoldRequest): TypeHoldDecision {
  const { orderId, changeId, counts, reservationMs } = request;
  const existing = state.reservations.get(changeId);
  if (existing) return decideExistingHold(state, existing);
  const order = state.reservations.get(orderId);
  if (order?.state === 'released') return seatCancelled(0);
  if (!order?.fulfilment) return { outcome: 'unknown' };
  if (order.fulfilment.typeChanges?.[changeId]) return { outcome: 'refused', reason: 'CLOSED' };
  const moves = movesOf(state, request);
  const refusal = findRefusal(state, moves, counts, { keepsSeats: true });
  if (refusal) return refusal;
  const held = moves.filter(isPresent).filter(needsSeat);
  const seats = new Map<string, number>();
  for (const { ticketTypeId } of held) seats.set(ticketTypeId, (seats.get(ticketTypeId) ?? 0) + 1);
  const expiresAt = new Date(state.now.getTime() + reservationMs);
  const reservation: ReservationState = {
    // Nobody is its buyer: the seats of the order count for the limits of its buyer already.
    ...emptyReservation(changeId, null),
    ...{ expiresAt, seats, seatCount: held.length },
  };
  return { outcome: 'held', expiresAt, changes: [{ kind: 'reserve', reservation }] };
}

function decideExistingHold(state: AdmissionState, hold: ReservationState): TypeHoldDecision {
  const { expiresAt } = hold;
  return hold.state === 'active' && expiresAt && !isExpired(hold, state.now)
    ? { outcome: 'held', expiresAt, changes: [] }
    : { outcome: 'refused', reason: 'CLOSED' };
}
