import { isSeatId, seatIdOf } from '@event-api/contracts/seat-ids';
import { closeOffer, openOffer, takenOffers } from '../seats/promotion/promotion.rules.ts';
import {
  type AdmissionState,
  type Change,
  type CodeState,
  type Fulfilment,
  isExpired,
  type OpenSeat,
  type RegistrationState,
  type ReservationState,
  usesLeftOf,
} from '../seats/seats.rules.ts';
import { findSoldOutUnits, unitsOf } from './addon-units.rules.ts';
import { type AddedUnits, deliverAddons, hasNoRecipient } from './addons.rules.ts';
import {
  codeApplies,
  countReserved,
  countUses,
  emptyReservation,
  findSoldOut,
  type OrderRequest,
  reservesSeat,
} from './reservations.rules.ts';
import {
  hasLostAttendee,
  newSeatsOf,
  type RequestedSeat,
  registrationOfSeat,
  wasOffered,
} from './seat-sources.rules.ts';

export type FulfilDecision =
  | { outcome: 'fulfilled'; fulfilment: Fulfilment; changes: Change[] }
  | { outcome: 'unfulfillable' }
  | { outcome: 'released' };

/**
 * Turns a reservation into registrations. Sale rules are not checked again. A registration that
 * waits for a seat of the same type gets the reserved seat and is confirmed. A person who has
 * another active registration keeps it, and the reserved seat is released. A seat without an
 * attendee becomes an open seat with a reservation of its own. With `reacquire`, an expired
 * reservation is reserved again in the same decision if its seats and code uses are available. A
 * seat that was offered to a registration goes to no other one: without it, the order is
 * `unfulfillable`, as is every order of a cancelled event. Add-ons without seats are
 * `unfulfillable` if no recipient is registered any more.
 */
export function decideFulfilment(
  state: AdmissionState,
  request: OrderRequest & { reacquire: boolean },
): FulfilDecision {
  const reservation = state.reservations.get(request.reservationId);
  if (reservation?.state === 'fulfilled' && reservation.fulfilment) {
    return { outcome: 'fulfilled', fulfilment: reservation.fulfilment, changes: [] };
  }
  if (reservation?.state === 'released') return { outcome: 'released' };
  if (state.isCancelled) return { outcome: 'unfulfillable' };
  const isLive = reservation?.state === 'active' && !isExpired(reservation, state.now);
  // The types for which seats were reserved at creation: `requiresApproval` may have changed since.
  const isReserved = reservation
    ? (id: string) => newSeatsOf(state, reservation, request.seats, id) > 0
    : reservesSeat(state);
  const source: SeatSource = {
    isReserved,
    isOffered: (registration) =>
      reservation !== undefined && wasOffered(state, reservation, registration),
  };
  if (!isLive && !(request.reacquire && canReacquire(state, request, source)))
    return { outcome: 'unfulfillable' };
  if (reservation && hasLostAttendee(state, reservation, request.seats))
    return { outcome: 'unfulfillable' };
  if (hasNoRecipient(state, request)) return { outcome: 'unfulfillable' };
  const { changes, fulfilment } = admitAll(state, request, source);
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

/** Where the seats of an order come from. */
interface SeatSource {
  /** Whether the order has reserved seats of the type that were nobody's. */
  isReserved: (ticketTypeId: string) => boolean;
  /** Whether the order got the seat of the registration from its offer. */
  isOffered: (registration: RegistrationState) => boolean;
}

/**
 * Whether the units of add-ons, and the seats and code uses of persons without a seat, are
 * available again.
 */
function canReacquire(
  state: AdmissionState,
  request: OrderRequest,
  { isReserved, isOffered }: SeatSource,
): boolean {
  if (findSoldOutUnits(state, unitsOf(request))) return false;
  const { seats, codeKey } = request;
  const existingOf = ({ person }: RequestedSeat) => registrationOfSeat(state, person);
  const needed = seats.filter((seat) => {
    const existing = existingOf(seat);
    return !existing || waitsFor(existing, seat);
  });
  const reacquired = needed.filter((seat) => {
    const existing = existingOf(seat);
    if (existing && openOffer(state, existing)) return false;
    return isReserved(seat.ticketTypeId) || (existing && isOffered(existing));
  });
  const reserved = countReserved(reacquired, () => true);
  if (findSoldOut(state, seats, reserved)) return false;
  if (codeKey === null) return true;
  const code = state.codes.get(codeKey);
  if (!code) return false;
  const needsUse = needed.filter((seat) => existingOf(seat)?.redemptionCodeId !== code.id);
  return countUses(code, needsUse) <= usesLeftOf(code);
}

function admitAll(
  state: AdmissionState,
  request: OrderRequest,
  { isReserved, isOffered }: SeatSource,
): { changes: Change[]; fulfilment: Fulfilment } {
  const { reservationId } = request;
  const changes: Change[] = [];
  const codeOf = codeForSeats(state, request);
  const openSeats: ReservationState[] = [];
  const seats = request.seats.map((seat, place) => {
    const { person, ticketTypeId, amount } = seat;
    if (!person) {
      const id = seatIdOf(reservationId, place);
      const isSold = isReserved(ticketTypeId);
      openSeats.push(openSeat(id, { orderId: reservationId, ticketTypeId }, isSold, codeOf(seat)));
      return { registrationId: id, created: true, amount };
    }
    const existing = registrationOfSeat(state, person);
    const hasSeat =
      isReserved(ticketTypeId) ||
      (existing && (isOffered(existing) || openOffer(state, existing) !== null));
    if (existing && !(waitsFor(existing, seat) && hasSeat)) {
      const { id: registrationId, status } = existing;
      changes.push({ kind: 'list_registration', registrationId, orderId: reservationId });
      return { registrationId, created: false, status, amount };
    }
    if (existing) {
      changes.push(...confirmWaiting(state, existing, reservationId, codeOf(seat)));
      return { registrationId: existing.id, created: true, status: 'confirmed' as const, amount };
    }
    const status = isReserved(ticketTypeId) ? ('confirmed' as const) : ('pending' as const);
    changes.push({
      kind: 'register',
      person,
      status,
      ticketTypeId,
      redemptionCodeId: codeOf(seat)?.id ?? null,
      orderId: reservationId,
    });
    return { registrationId: person.registrationId, created: true, status, amount };
  });
  const addons = deliverAddons(state, request, seats);
  return {
    changes: [
      ...changes,
      ...openSeats.map((seat) => withAddons(seat, addons.changes)),
      ...addons.changes.filter(({ registrationId }) => !isSeatId(registrationId)),
    ],
    fulfilment: { seats, ...addons.fulfilment },
  };
}

/**
 * The reservation of an open seat, which never expires. A seat of a type that requires approval is
 * taken only when its registration is approved, so it `isSold` with none.
 */
const openSeat = (
  id: string,
  seat: OpenSeat,
  isSold: boolean,
  code: CodeState | null,
): ReservationState => ({
  ...emptyReservation(id, null),
  seatCount: 1,
  seats: new Map(isSold ? [[seat.ticketTypeId, 1]] : []),
  redemptionCodeId: code?.id ?? null,
  codeUses: code ? 1 : 0,
  openSeat: seat,
});

/** Reserves an open seat with the add-ons that are delivered to it. */
function withAddons(seat: ReservationState, delivered: readonly AddedUnits[]): Change {
  const units = delivered.filter(({ registrationId }) => registrationId === seat.id);
  const kept = units.flatMap((added) =>
    added.units.map(({ addonId, quantity }): [string, number] => [addonId, quantity]),
  );
  return { kind: 'reserve', reservation: { ...seat, seats: new Map([...seat.seats, ...kept]) } };
}

/**
 * Returns the code of each seat, as long as the code has uses for the order. It may have fewer than
 * seats: a waitlisted registration that was cancelled after the order has returned its use.
 */
function codeForSeats(
  state: AdmissionState,
  { reservationId, codeKey }: OrderRequest,
): (seat: RequestedSeat) => CodeState | null {
  const code = codeKey === null ? undefined : state.codes.get(codeKey);
  if (!code) return () => null;
  const reservation = state.reservations.get(reservationId);
  const ownUses = reservation?.state === 'active' ? reservation.codeUses : 0;
  let usesLeft = ownUses + Math.max(0, usesLeftOf(code));
  return (seat) => {
    if (!codeApplies(code, seat)) return null;
    const existing = registrationOfSeat(state, seat.person);
    if (existing?.redemptionCodeId === code.id) return code;
    if (usesLeft <= 0) return null;
    usesLeft -= 1;
    return code;
  };
}

/**
 * Whether a registration waits for a seat of the type that the order has reserved for its person.
 */
const waitsFor = (
  { status, ticketTypeId }: RegistrationState,
  seat: Pick<RequestedSeat, 'ticketTypeId'>,
): boolean => status === 'waitlisted' && ticketTypeId === seat.ticketTypeId;

/** Whether a registration has an offer that the order has taken or can take. */
const hasOffer = (
  state: AdmissionState,
  registration: RegistrationState,
  orderId: string,
): boolean =>
  openOffer(state, registration) !== null ||
  takenOffers(state, orderId).some(({ id }) => id === registration.offerId);

/** Confirms a waitlisted registration for an order. A code of the order replaces its own. */
function confirmWaiting(
  state: AdmissionState,
  registration: RegistrationState,
  orderId: string,
  code: CodeState | null,
): Change[] {
  const { id } = registration;
  const redemptionCodeId = code?.id ?? registration.redemptionCodeId;
  return [
    ...closeOffer(registration, hasOffer(state, registration, orderId) ? 'fulfilled' : 'released'),
    {
      kind: 'set_status',
      id,
      to: 'confirmed',
      reason: null,
      order: { id: orderId, redemptionCodeId },
    },
  ];
}
