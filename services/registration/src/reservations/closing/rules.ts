import {
  type AdmissionState,
  type Change,
  isActive,
  isExpired,
  type ReservationState,
} from '../../seats/rules.ts';
import { emptyReservation } from '../rules.ts';

export type ReleaseDecision = {
  outcome: 'held' | 'released' | 'expired' | 'fulfilled';
  changes: Change[];
};

/**
 * Gives a claim back, for good: it can never be taken again. One that is unknown is written as
 * released, so that it finds itself closed if it arrives late. With `onlyIfOver` a claim that runs stays,
 * and one that has run out can still be taken again by a fulfilment.
 */
export function decideRelease(
  state: AdmissionState,
  reservationId: string,
  onlyIfExpired: boolean,
): ReleaseDecision {
  const reservation = state.reservations.get(reservationId);
  if (!reservation) {
    const released: ReservationState = {
      ...emptyReservation(reservationId, null),
      state: 'released',
    };
    return { outcome: 'released', changes: [{ kind: 'hold', reservation: released }] };
  }
  if (reservation.state === 'fulfilled' || reservation.state === 'released') {
    return { outcome: reservation.state, changes: [] };
  }
  if (!onlyIfExpired) return { outcome: 'released', changes: [closed(reservationId, 'released')] };
  if (reservation.state === 'expired') return { outcome: 'expired', changes: [] };
  if (!isExpired(reservation, state.now)) return { outcome: 'held', changes: [] };
  return { outcome: 'expired', changes: [closed(reservationId, 'expired')] };
}

const closed = (id: string, to: 'released' | 'expired'): Change => ({
  kind: 'close_claim',
  id,
  to,
  fulfilment: null,
});

/** Takes back what an order has made: its active registrations, and its add-ons from whoever has them. */
export function decideRevocation(state: AdmissionState, orderId: string): { changes: Change[] } {
  const changes: Change[] = [...state.registrations.values()]
    .filter((registration) => registration.orderId === orderId && isActive(registration.status))
    .map(({ id }) => ({ kind: 'move', id, to: 'cancelled', reason: null }));
  const registrationId = state.reservations.get(orderId)?.fulfilment?.addonRegistrationId;
  if (registrationId) changes.push({ kind: 'remove_addons', registrationId, orderId });
  return { changes };
}
