import { canonicalJson } from '@event-api/platform/http/canonical-json';
import {
  buyerOf,
  countAdded,
  countBuyer,
  countLimited,
  countRemoved,
  countReservation,
  countSeat,
  countUses,
  enqueue,
} from './counters.ts';
import {
  type AdmissionState,
  type Change,
  type Fulfilment,
  isActive,
  nextWaitlistOrder,
  type OtherOrder,
  type RegistrationState,
  type ReservationState,
} from './seats.rules.ts';

/**
 * Applies the changes of a decision to the state that the next decision of the batch uses. The only
 * place that counts seats and code uses, with `counters.ts`.
 */
export function applyChanges(state: AdmissionState, changes: readonly Change[]): void {
  for (const change of changes) applyChange(state, change);
}

function applyChange(state: AdmissionState, change: Change): void {
  switch (change.kind) {
    case 'register': {
      const { person, status, ticketTypeId, redemptionCodeId, orderId } = change;
      const { registrationId: id, normalEmail } = person;
      const buyerEmail = buyerOf(state, orderId) ?? normalEmail;
      const key = { id, normalEmail, ticketTypeId, redemptionCodeId, orderId, buyerEmail };
      const registration: RegistrationState = {
        ...key,
        status,
        waitlistOrder: nextWaitlistOrder(state),
        offerId: null,
        offersMissed: 0,
      };
      state.registrations.set(id, registration);
      state.active.set(normalEmail, id);
      countSeat(state, registration, +1);
      countUses(state, redemptionCodeId, +1);
      countBuyer(state, buyerEmail, { holds: 0, seats: 1 });
      return;
    }
    case 'set_status': {
      const registration = registrationOf(state, change.id);
      countSeat(state, registration, -1);
      registration.status = change.to;
      countSeat(state, registration, +1);
      if (change.order) assignToOrder(state, registration, change.order);
      if (!isActive(change.to)) {
        state.active.delete(registration.normalEmail);
        countRemoved(state, registration.id);
        countUses(state, registration.redemptionCodeId, -1);
        countBuyer(state, registration.buyerEmail, { holds: 0, seats: -1 });
      }
      return;
    }
    case 'change_registration': {
      const registration = registrationOf(state, change.id);
      if (change.holder) setEmail(state, registration, change.holder.normalEmail);
      if (change.ticketTypeId !== null) moveToType(state, registration, change.ticketTypeId);
      setDetails(state, change);
      return;
    }
    case 'reserve': {
      const { reservation } = change;
      state.reservations.set(reservation.id, reservation);
      if (reservation.state === 'active') countReservation(state, reservation.id, +1);
      if (reservation.offer) startOffer(state, reservation.offer.registrationId, reservation.id);
      return;
    }
    case 'close_reservation': {
      const { id, to, fulfilment } = change;
      const reservation = reservationOf(state, id);
      if (reservation.state === 'active') countReservation(state, id, -1);
      state.reservations.set(id, { ...reservation, state: to, fulfilment });
      if (reservation.offer) endOffer(state, reservation.offer.registrationId, to);
      return;
    }
    case 'take_offer': {
      const offer = reservationOf(state, change.id);
      countReservation(state, offer.id, -1);
      setTakenBy(state, offer, change.orderId);
      return;
    }
    case 'return_offer': {
      const offer = reservationOf(state, change.id);
      setTakenBy(state, offer, null);
      countReservation(state, offer.id, +1);
      return;
    }
    case 'list_registration': {
      const { registrationId, orderId } = change;
      const others = state.otherOrders.get(registrationId) ?? [];
      const other = { orderId, buyerEmail: buyerOf(state, orderId) };
      state.otherOrders.set(registrationId, [...others, other]);
      return;
    }
    case 'hand_over': {
      const { registrationId, to } = change;
      const registration = registrationOf(state, registrationId);
      countBuyer(state, registration.buyerEmail, { holds: 0, seats: -1 });
      registration.orderId = to.orderId;
      registration.buyerEmail = to.buyerEmail ?? registration.normalEmail;
      countBuyer(state, registration.buyerEmail, { holds: 0, seats: 1 });
      const others = state.otherOrders.get(registrationId) ?? [];
      state.otherOrders.set(registrationId, without(others, to.orderId));
      return;
    }
    case 'unlist_registrations': {
      for (const [registrationId, others] of state.otherOrders) {
        if (change.registrationIds?.includes(registrationId) === false) continue;
        state.otherOrders.set(registrationId, without(others, change.orderId));
      }
      return;
    }
    case 'add_addons': {
      const { registrationId, orderId, units } = change;
      countAdded(
        state,
        registrationId,
        units.map((each) => ({ orderId, ...each })),
      );
      return;
    }
    case 'remove_addons': {
      countRemoved(state, change.registrationId, change.orderId);
      return;
    }
    case 'limit_addons': {
      const { registrationId, orderId, units } = change;
      for (const unit of units) countLimited(state, registrationId, { orderId, ...unit });
      return;
    }
    case 'assign_seat': {
      const order = reservationOf(state, change.orderId);
      const fulfilment = order.fulfilment && assigned(order.fulfilment, change);
      state.reservations.set(order.id, { ...order, fulfilment });
      return;
    }
    case 'move_open_seat': {
      const seat = reservationOf(state, change.id);
      countReservation(state, seat.id, -1);
      state.reservations.set(seat.id, movedSeat(seat, change));
      countReservation(state, seat.id, +1);
      return;
    }
    case 'record_type_change': {
      const order = reservationOf(state, change.orderId);
      const fulfilment = order.fulfilment && withTypeChange(order.fulfilment, change);
      state.reservations.set(order.id, { ...order, fulfilment });
      return;
    }
  }
}

function assigned(
  { seats, addonRegistrationId, addonRegistrationIds, ...rest }: Fulfilment,
  { seatId, registrationId }: { seatId: string; registrationId: string },
): Fulfilment {
  const holder = <Id extends string | null>(id: Id) => (id === seatId ? registrationId : id);
  return {
    ...rest,
    seats: seats.map((seat) => ({ ...seat, registrationId: holder(seat.registrationId) })),
    addonRegistrationId: holder(addonRegistrationId),
    ...(addonRegistrationIds && {
      addonRegistrationIds: addonRegistrationIds.map((ids) => ids.map(holder)),
    }),
  };
}

/** A seat of a type that requires approval reserves none, one of any other type does. */
const movedSeat = (
  { seats, openSeat, ...seat }: ReservationState,
  { from, ticketTypeId }: Extract<Change, { kind: 'move_open_seat' }>,
): ReservationState => ({
  ...seat,
  seats: new Map([...[...seats].filter(([id]) => id !== from), [ticketTypeId, 1]]),
  openSeat: openSeat && { ...openSeat, ticketTypeId },
});

const withTypeChange = (
  { seats, typeChanges, ...rest }: Fulfilment,
  { changeId, outcome, amounts }: Extract<Change, { kind: 'record_type_change' }>,
): Fulfilment => ({
  ...rest,
  seats: seats.map((seat) => ({
    ...seat,
    amount: amounts.get(seat.registrationId) ?? seat.amount,
  })),
  typeChanges: { ...typeChanges, [changeId]: outcome },
});

const without = (others: readonly OtherOrder[], orderId: string): OtherOrder[] =>
  others.filter((other) => other.orderId !== orderId);

function setEmail(
  state: AdmissionState,
  registration: RegistrationState,
  normalEmail: string,
): void {
  state.active.delete(registration.normalEmail);
  state.active.set(normalEmail, registration.id);
  // The seat of an order counts for its buyer, not for the person who holds it.
  if (registration.orderId === null) {
    countBuyer(state, registration.buyerEmail, { holds: 0, seats: -1 });
    countBuyer(state, normalEmail, { holds: 0, seats: 1 });
    registration.buyerEmail = normalEmail;
  }
  registration.normalEmail = normalEmail;
}

/** A later change of the batch is compared with what this one has written. */
function setDetails(
  { details }: AdmissionState,
  { id, name, holder, ticketTypeId, responses }: Extract<Change, { kind: 'change_registration' }>,
): void {
  const former = details.get(id);
  if (!former) return;
  details.set(id, {
    ...former,
    ...(holder && { email: canonicalJson(holder.email) }),
    ...(name !== undefined && { name: canonicalJson(name) }),
    ...(ticketTypeId !== null && { registrationTypeId: canonicalJson(ticketTypeId) }),
    ...(responses && { responses: canonicalJson(responses) }),
  });
}

/** A waitlisted registration goes to the end of the waitlist of the other type. */
function moveToType(
  state: AdmissionState,
  registration: RegistrationState,
  ticketTypeId: string,
): void {
  countSeat(state, registration, -1);
  registration.ticketTypeId = ticketTypeId;
  if (registration.status === 'waitlisted') registration.waitlistOrder = nextWaitlistOrder(state);
  countSeat(state, registration, +1);
}

function startOffer(state: AdmissionState, registrationId: string, offerId: string): void {
  const registration = registrationOf(state, registrationId);
  registration.offerId = offerId;
  const type = state.types.get(registration.ticketTypeId ?? '');
  if (!type) return;
  type.offered += 1;
  type.waitlist = type.waitlist.filter((id) => id !== registrationId);
}

/** Ends the offer of a registration. One that has missed it goes to the end of the waitlist. */
function endOffer(
  state: AdmissionState,
  registrationId: string,
  to: 'fulfilled' | 'released' | 'expired',
): void {
  const registration = registrationOf(state, registrationId);
  registration.offerId = null;
  if (to === 'expired') {
    registration.offersMissed += 1;
    registration.waitlistOrder = nextWaitlistOrder(state);
  }
  const type = state.types.get(registration.ticketTypeId ?? '');
  if (!type) return;
  const isComplete = type.waitlist.length === type.waitlisted - type.offered;
  type.offered -= 1;
  if (registration.status === 'waitlisted') enqueue(state, type, registration, isComplete);
}

const setTakenBy = (state: AdmissionState, offer: ReservationState, orderId: string | null): void =>
  void state.reservations.set(offer.id, {
    ...offer,
    state: orderId === null ? 'active' : 'taken',
    offer: offer.offer && { ...offer.offer, takenBy: orderId },
  });

/**
 * The registration belongs to the order from now on, with the code and for the buyer of its seat.
 */
function assignToOrder(
  state: AdmissionState,
  registration: RegistrationState,
  { id, redemptionCodeId }: { id: string; redemptionCodeId: string | null },
): void {
  countUses(state, registration.redemptionCodeId, -1);
  countBuyer(state, registration.buyerEmail, { holds: 0, seats: -1 });
  registration.orderId = id;
  registration.redemptionCodeId = redemptionCodeId;
  registration.buyerEmail = buyerOf(state, id) ?? registration.normalEmail;
  countUses(state, redemptionCodeId, +1);
  countBuyer(state, registration.buyerEmail, { holds: 0, seats: 1 });
}

function registrationOf(state: AdmissionState, id: string): RegistrationState {
  const registration = state.registrations.get(id);
  if (!registration) throw new Error('a decision changed a registration that was not read');
  return registration;
}

function reservationOf(state: AdmissionState, id: string): ReservationState {
  const reservation = state.reservations.get(id);
  if (!reservation) throw new Error('a decision changed a reservation that was not read');
  return reservation;
}
