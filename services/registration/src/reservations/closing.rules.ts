import { isSeatId } from '@event-api/contracts/seat-ids';
import { closeReservation } from '../seats/promotion/promotion.rules.ts';
import {
  type AdmissionState,
  type Change,
  isActive,
  isExpired,
  type OtherOrder,
  type ReservationState,
} from '../seats/seats.rules.ts';
import { receiversOf } from './addons.rules.ts';
import { emptyReservation } from './reservations.rules.ts';

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
  if (!onlyIfExpired) {
    return { outcome: 'released', changes: closeReservation(state, reservationId, 'released') };
  }
  if (reservation.state === 'expired') return { outcome: 'expired', changes: [] };
  if (!isExpired(reservation, state.now)) return { outcome: 'active', changes: [] };
  return { outcome: 'expired', changes: closeReservation(state, reservationId, 'expired') };
}

/**
 * Revokes an order: removes its add-ons, cancels its active registrations and releases its open
 * seats. A registration that another order lists is handed over to that order instead, and is
 * cancelled with the last of them. Of several orders the oldest gets it. With `registrationIds`, only
 * these are revoked, and only those of them that the order has lose its add-ons. A seat that was sold
 * open is named there by its own id, also if it is assigned in the meantime; the add-ons that an open
 * one keeps end with it.
 */
export function decideRevocation(
  state: AdmissionState,
  orderId: string,
  revokedIds: readonly string[] | null = null,
): { changes: Change[] } {
  const registrationIds = revokedIds?.map((id) => presentHolder(state, orderId, id)) ?? null;
  const own = [...state.registrations.values()]
    .filter((registration) => registration.orderId === orderId && isActive(registration.status))
    .filter(({ id }) => registrationIds?.includes(id) ?? true)
    .map(({ id }) => id);
  const changes: Change[] = own.map((id) => {
    const to = nextOrderOf(state, id, orderId);
    return to
      ? { kind: 'hand_over', registrationId: id, to }
      : { kind: 'set_status', id, to: 'cancelled', reason: null };
  });
  for (const { id, state: seat, openSeat } of state.reservations.values()) {
    if (seat !== 'active' || openSeat?.orderId !== orderId) continue;
    if (registrationIds?.includes(id) ?? true) {
      changes.push(...closeReservation(state, id, 'released'));
    }
  }
  const fulfilment = state.reservations.get(orderId)?.fulfilment;
  for (const registrationId of fulfilment ? receiversOf(fulfilment) : []) {
    if (isSeatId(registrationId)) continue;
    if (registrationIds && !own.includes(registrationId)) continue;
    changes.push({ kind: 'remove_addons', registrationId, orderId });
  }
  changes.push({ kind: 'unlist_registrations', orderId, registrationIds });
  return { changes };
}

/** How many units of an add-on of an order a registration keeps. */
export interface KeptUnits {
  registrationId: string;
  addonId: string;
  quantity: number;
}

/**
 * Returns units of add-ons of an order to the sale. What a registration keeps is absolute, so a
 * repeated request returns nothing more.
 */
export function decideReturn(orderId: string, units: readonly KeptUnits[]): { changes: Change[] } {
  const byRegistration = Map.groupBy(units, ({ registrationId }) => registrationId);
  return {
    changes: [...byRegistration].map(([registrationId, kept]) => ({
      ...{ kind: 'limit_addons', registrationId, orderId },
      units: kept.map(({ addonId, quantity }) => ({ addonId, quantity })),
    })),
  };
}

/** The registration that has a seat of the order, if the id names a seat that was assigned. */
export function presentHolder(state: AdmissionState, orderId: string, id: string): string {
  const seat = state.reservations.get(id);
  if (seat?.openSeat?.orderId !== orderId) return id;
  return seat.fulfilment?.seats[0]?.registrationId ?? id;
}

/** Ids of orders sort by creation time. */
function nextOrderOf(
  state: AdmissionState,
  registrationId: string,
  revokedId: string,
): OtherOrder | undefined {
  const others = state.otherOrders.get(registrationId) ?? [];
  return others
    .filter(({ orderId }) => orderId !== revokedId)
    .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))[0];
}
