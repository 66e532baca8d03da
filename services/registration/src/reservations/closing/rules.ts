import {
  type AdmissionState,
  type Change,
  isActive,
  isExpired,
  type ReservationState,
} from '../../seats/rules.ts';
import { emptyReservation } from '../rules.ts';

export type ReleaseDecision = {
  outcome: 'active' | 'released' | 'expired' | 'fulfilled';
  changes: Change[];
};

/**
 * Releases a reservation permanently: it cannot be reserved again. An unknown one is recorded as
 * released, so that it is rejected if it arrives late. With `onlyIfExpired`, an active reservation
 * stays, and a fulfilment can still reacquire an expired one.
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
    return { outcome: 'released', changes: [{ kind: 'reserve', reservation: released }] };
  }
  if (reservation.state === 'fulfilled' || reservation.state === 'released') {
    return { outcome: reservation.state, changes: [] };
  }
  if (!onlyIfExpired) return { outcome: 'released', changes: [closed(reservationId, 'released')] };
  if (reservation.state === 'expired') return { outcome: 'expired', changes: [] };
  if (!isExpired(reservation, state.now)) return { outcome: 'active', changes: [] };
  return { outcome: 'expired', changes: [closed(reservationId, 'expired')] };
}

const closed = (id: string, to: 'released' | 'expired'): Change => ({
  kind: 'close_reservation',
  id,
  to,
  fulfilment: null,
});

/** Cancels the active registrations that an order created and removes its add-ons. */
export function decideRevocation(state: AdmissionState, orderId: string): { changes: Change[] } {
  const changes: Change[] = [...state.registrations.values()]
    .filter((registration) => registration.orderId === orderId && isActive(registration.status))
    .map(({ id }) => ({ kind: 'set_status', id, to: 'cancelled', reason: null }));
  const registrationId = state.reservations.get(orderId)?.fulfilment?.addonRegistrationId;
  if (registrationId) changes.push({ kind: 'remove_addons', registrationId, orderId });
  return { changes };
}
