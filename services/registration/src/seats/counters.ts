import type {
  AdmissionState,
  BuyerState,
  DeliveredUnits,
  RegistrationState,
  TypeState,
} from './seats.rules.ts';

/** Counts the seat or the place on the waitlist of a registration in its status. */
export function countSeat(
  state: AdmissionState,
  registration: RegistrationState,
  by: 1 | -1,
): void {
  const type = registration.ticketTypeId && state.types.get(registration.ticketTypeId);
  if (!type) return;
  if (registration.status === 'confirmed') {
    type.confirmed += by;
    if (type.group) type.group.taken += by;
  }
  if (registration.status === 'waitlisted') updateWaitlist(state, type, registration, by);
}

function updateWaitlist(
  state: AdmissionState,
  type: TypeState,
  registration: RegistrationState,
  by: 1 | -1,
): void {
  if (by === -1) {
    type.waitlisted -= 1;
    type.waitlist = type.waitlist.filter((id) => id !== registration.id);
    return;
  }
  const isComplete = type.waitlist.length === type.waitlisted - type.offered;
  type.waitlisted += 1;
  enqueue(state, type, registration, isComplete);
}

/**
 * Adds a registration to the loaded part of the waitlist; `isComplete` says whether that is all of
 * it.
 */
export function enqueue(
  state: AdmissionState,
  type: TypeState,
  { id, waitlistOrder }: RegistrationState,
  isComplete: boolean,
): void {
  // A registration that is approved late goes before those that were created after it.
  const next = type.waitlist.findIndex((other) => waitlistOrderOf(state, other) > waitlistOrder);
  if (next >= 0) type.waitlist.splice(next, 0, id);
  // Other registrations may follow an incomplete list. A later batch reads the rest.
  else if (isComplete) type.waitlist.push(id);
}

const waitlistOrderOf = (state: AdmissionState, id: string): number =>
  state.registrations.get(id)?.waitlistOrder ?? Number.POSITIVE_INFINITY;

/** Counts uses of a redemption code. */
export function countUses(state: AdmissionState, codeId: string | null, by: number): void {
  if (codeId === null) return;
  for (const code of state.codes.values()) if (code.id === codeId) code.uses += by;
}

/** Counts the seats, the units, the code uses and the buyer of a reservation. */
export function countReservation(state: AdmissionState, reservationId: string, by: 1 | -1): void {
  const reservation = state.reservations.get(reservationId);
  if (!reservation) return;
  for (const [id, quantity] of reservation.seats) {
    const type = state.types.get(id);
    const item = type ?? state.addons.get(id);
    if (item) item.reserved += by * quantity;
    if (type?.group) type.group.taken += by * quantity;
  }
  countUses(state, reservation.redemptionCodeId, by * reservation.codeUses);
  const { openSeat, seatCount } = reservation;
  if (openSeat) countBuyer(state, buyerOf(state, openSeat.orderId), { holds: 0, seats: by });
  else countBuyer(state, reservation.buyerEmail, { holds: by, seats: by * seatCount });
}

/** Counts the units of add-ons that an order adds to a registration. */
export function countAdded(
  state: AdmissionState,
  registrationId: string,
  units: readonly DeliveredUnits[],
): void {
  for (const { addonId, quantity } of units) countSold(state, addonId, quantity);
  state.delivered.set(registrationId, [...(state.delivered.get(registrationId) ?? []), ...units]);
}

/** Returns the units of a registration that ends, or those of one of its orders. */
export function countRemoved(
  state: AdmissionState,
  registrationId: string,
  orderId: string | null = null,
): void {
  const delivered = state.delivered.get(registrationId) ?? [];
  const isRemoved = (units: DeliveredUnits) => orderId === null || units.orderId === orderId;
  for (const { addonId, quantity } of delivered.filter(isRemoved)) {
    countSold(state, addonId, -quantity);
  }
  state.delivered.set(
    registrationId,
    delivered.filter((units) => !isRemoved(units)),
  );
}

/** Returns the units of an order that a registration has beyond `quantity`. */
export function countLimited(
  state: AdmissionState,
  registrationId: string,
  { orderId, addonId, quantity }: DeliveredUnits,
): void {
  const delivered = state.delivered.get(registrationId) ?? [];
  const left = delivered.flatMap((units) => {
    if (units.orderId !== orderId || units.addonId !== addonId) return [units];
    const kept = Math.min(units.quantity, quantity);
    countSold(state, addonId, kept - units.quantity);
    return kept > 0 ? [{ ...units, quantity: kept }] : [];
  });
  state.delivered.set(registrationId, left);
}

/** Never below 0: the previous release delivers units without counting them. */
function countSold({ addons }: AdmissionState, addonId: string, by: number): void {
  const addon = addons.get(addonId);
  if (addon) addon.confirmed = Math.max(0, addon.confirmed + by);
}

/** The buyer of an order, by its reservation. */
export const buyerOf = (state: AdmissionState, orderId: string | null): string | null =>
  (orderId && state.reservations.get(orderId)?.buyerEmail) || null;

/** Counts what a buyer has; only buyers whose limits a decision needs are counted. */
export function countBuyer(state: AdmissionState, email: string | null, by: BuyerState): void {
  const buyer = email === null ? undefined : state.buyers.get(email);
  if (!buyer) return;
  buyer.holds += by.holds;
  buyer.seats += by.seats;
}
