import {
  type AdmissionState,
  type Change,
  type Fulfilment,
  isExpired,
  seatsForNewcomers,
} from '../../seats/rules.ts';
import {
  codeApplies,
  countReserved,
  countUses,
  emptyReservation,
  type ReserveRequest,
  reservesSeat,
} from '../rules.ts';

export type FulfilDecision =
  | { outcome: 'fulfilled'; fulfilment: Fulfilment; changes: Change[] }
  | { outcome: 'unfulfillable' }
  | { outcome: 'released' };

/**
 * Turns a reservation into registrations. Sale rules are not checked again. A person who has
 * registered meanwhile keeps that registration, and the reserved seat is released. With
 * `reacquire`, an expired reservation is reserved again in the same decision if its seats and code
 * uses are available. Add-ons without seats are `unfulfillable` if the buyer is not registered any more.
 */
export function decideFulfilment(
  state: AdmissionState,
  request: ReserveRequest & { reacquire: boolean },
): FulfilDecision {
  const reservation = state.reservations.get(request.reservationId);
  if (reservation?.state === 'fulfilled' && reservation.fulfilment) {
    return { outcome: 'fulfilled', fulfilment: reservation.fulfilment, changes: [] };
  }
  if (reservation?.state === 'released') return { outcome: 'released' };
  const isLive = reservation?.state === 'active' && !isExpired(reservation, state.now);
  // The types for which seats were reserved at creation: `requiresApproval` may have changed since.
  const isReserved = reservation ? (id: string) => reservation.seats.has(id) : reservesSeat(state);
  if (!isLive && !(request.reacquire && canReacquire(state, request, isReserved)))
    return { outcome: 'unfulfillable' };
  if (hasNoRecipient(state, request)) return { outcome: 'unfulfillable' };
  const { changes, fulfilment } = admitAll(state, request, isReserved);
  const opened: Change[] = reservation
    ? []
    : [
        {
          kind: 'reserve',
          reservation: emptyReservation(request.reservationId, request.buyerEmail),
        },
      ];
  return {
    outcome: 'fulfilled',
    fulfilment,
    changes: [
      ...opened,
      { kind: 'close_reservation', id: request.reservationId, to: 'fulfilled', fulfilment },
      ...changes,
    ],
  };
}

const hasNoRecipient = (
  state: AdmissionState,
  { seats, addonIds, buyerEmail }: ReserveRequest,
): boolean => seats.length === 0 && addonIds.length > 0 && !state.active.has(buyerEmail);

/** Whether the seats and code uses of persons who are not registered yet are available again. */
function canReacquire(
  state: AdmissionState,
  { seats, codeKey }: ReserveRequest,
  isReserved: (ticketTypeId: string) => boolean,
): boolean {
  const needed = seats.filter(({ person }) => !state.active.has(person.normalEmail));
  for (const [typeId, quantity] of countReserved(needed, isReserved)) {
    const type = state.types.get(typeId);
    if (!type || seatsForNewcomers(state, type) < quantity) return false;
  }
  if (codeKey === null) return true;
  const code = state.codes.get(codeKey);
  if (!code) return false;
  return code.maxUses === null || code.uses + countUses(code, needed) <= code.maxUses;
}

function admitAll(
  state: AdmissionState,
  request: ReserveRequest,
  isReserved: (ticketTypeId: string) => boolean,
): { changes: Change[]; fulfilment: Fulfilment } {
  const { reservationId, codeKey, addonIds } = request;
  const code = codeKey === null ? undefined : state.codes.get(codeKey);
  const changes: Change[] = [];
  const seats = request.seats.map((seat) => {
    const { person, ticketTypeId } = seat;
    const existing = state.active.get(person.normalEmail);
    if (existing) {
      changes.push({ kind: 'list_registration', registrationId: existing, orderId: reservationId });
      return { registrationId: existing, created: false };
    }
    changes.push({
      kind: 'register',
      person,
      status: isReserved(ticketTypeId) ? 'confirmed' : 'pending',
      ticketTypeId,
      redemptionCodeId: code && codeApplies(code, seat) ? code.id : null,
      orderId: reservationId,
    });
    return { registrationId: person.registrationId, created: true };
  });
  const addonRegistrationId = addonReceiver(state, request, seats);
  if (addonRegistrationId) {
    changes.push({
      kind: 'add_addons',
      registrationId: addonRegistrationId,
      orderId: reservationId,
      addonIds,
    });
  }
  return { changes, fulfilment: { seats, addonRegistrationId } };
}

/**
 * The registration that receives the add-ons: the buyer's if there is one, otherwise the first
 * seat's.
 */
function addonReceiver(
  state: AdmissionState,
  { seats, buyerEmail, addonIds }: ReserveRequest,
  fulfilled: Fulfilment['seats'],
): string | null {
  if (addonIds.length === 0) return null;
  const ownSeat = seats.findIndex(({ person }) => person.normalEmail === buyerEmail);
  const own = fulfilled[ownSeat]?.registrationId ?? state.active.get(buyerEmail);
  return own ?? fulfilled[0]?.registrationId ?? null;
}
