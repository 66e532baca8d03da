import { availableSeats, seatsOfGroup } from '@event-api/rules/remaining-seats';
import {
  type AdmissionState,
  type Change,
  canPromote,
  isExpired,
  type RegistrationState,
  type ReservationState,
  type TypeState,
} from '../seats.rules.ts';

const maxPromotions = 256;

/**
 * Gives the available seats to the first waitlisted registrations, at most 256 of each type. A seat
 * that costs nothing, or that an order has paid for, confirms the registration. Any other seat is
 * offered to it: it is reserved until an order pays for it or the offer expires.
 */
export function decidePromotions(state: AdmissionState): Change[] {
  const changes: Change[] = [];
  if (!state.mayPromote) return changes;
  const behindOthers = behindOthersOfGroup(state);
  for (const type of state.types.values()) {
    changes.push(...confirmOffered(state, type));
    if (!canPromote(state, type)) continue;
    for (const registration of firstWaiting(state, type)) {
      if (!behindOthers.has(registration.id)) changes.push(promote(state, type, registration));
    }
  }
  return changes;
}

/** The first waitlisted registrations of a type that its available seats are enough for. */
const firstWaiting = (state: AdmissionState, type: TypeState): RegistrationState[] =>
  type.waitlist
    .slice(0, Math.min(availableSeats(type), maxPromotions))
    .flatMap((id) => state.registrations.get(id) ?? []);

/**
 * Registrations that a seat of their type would be enough for, but not the seats of its capacity
 * group: those that have waited longer on any waitlist of the group go first.
 */
function behindOthersOfGroup(state: AdmissionState): ReadonlySet<string> {
  const promotable = [...state.types.values()].filter(
    (type) => type.group && canPromote(state, type),
  );
  const byGroup = Map.groupBy(promotable, ({ group }) => group?.id);
  const behind = [...byGroup.values()].flatMap((types) => {
    const [{ group = null } = {}] = types;
    if (!group) return [];
    return types
      .flatMap((type) => firstWaiting(state, type))
      .toSorted((a, b) =>
        a.waitlistOrder < b.waitlistOrder ? -1 : a.waitlistOrder > b.waitlistOrder ? 1 : 0,
      )
      .slice(seatsOfGroup(group));
  });
  return new Set(behind.map(({ id }) => id));
}

/** Whether more registrations can be promoted after the last promotions. */
export const canPromoteMore = (state: AdmissionState): boolean =>
  state.mayPromote &&
  [...state.types.values()].some((type) => canPromote(state, type) && availableSeats(type) > 0);

/** Whether a seat of the type has to be paid for before it confirms the registration. */
export const mustBePaid = (
  { priceAmount }: Pick<TypeState, 'priceAmount'>,
  { orderId }: Pick<RegistrationState, 'orderId'>,
): boolean => priceAmount > 0 && orderId === null;

function promote(state: AdmissionState, type: TypeState, registration: RegistrationState): Change {
  if (mustBePaid(type, registration)) {
    return { kind: 'reserve', reservation: createOffer(state, type, registration) };
  }
  return { kind: 'set_status', id: registration.id, to: 'confirmed', reason: null };
}

/**
 * An offer ends with the sale at the latest. Its id is unique: a registration gets the next offer
 * when it has missed one.
 */
function createOffer(
  { now, offerMs }: AdmissionState,
  { id: ticketTypeId, closesAt }: TypeState,
  { id, offersMissed }: RegistrationState,
): ReservationState {
  const expiresAt = now.getTime() + offerMs;
  return {
    id: `offer_${id}_${offersMissed}`,
    state: 'active',
    expiresAt: new Date(closesAt ? Math.min(expiresAt, closesAt.getTime()) : expiresAt),
    buyerEmail: null,
    seatCount: 0,
    seats: new Map([[ticketTypeId, 1]]),
    redemptionCodeId: null,
    codeUses: 0,
    fulfilment: null,
    offeredTo: [],
    offer: { registrationId: id, takenBy: null },
    openSeat: null,
  };
}

/** Confirms registrations with an offer of a type that has become free. */
function confirmOffered(state: AdmissionState, type: TypeState): Change[] {
  if (type.priceAmount > 0 || type.offered === 0) return [];
  return [...state.reservations.values()]
    .filter(({ state, seats, offer }) => offer && state === 'active' && seats.has(type.id))
    .flatMap(({ id, offer }) => [
      closed(id, 'released'),
      { kind: 'set_status', id: offer?.registrationId ?? '', to: 'confirmed', reason: null },
    ]);
}

/** Expires the reservations and offers whose time has ended, which releases their seats. */
export const decideExpiries = (state: AdmissionState): Change[] =>
  [...state.reservations.values()]
    .filter((reservation) => reservation.state === 'active' && isExpired(reservation, state.now))
    .flatMap(({ id }) => closeReservation(state, id, 'expired'));

/**
 * Closes a reservation without a fulfilment. Offers that its order has taken go on until their own
 * time.
 */
export const closeReservation = (
  state: AdmissionState,
  id: string,
  to: 'released' | 'expired',
): Change[] => [closed(id, to), ...returned(state, takenOffers(state, id))];

/** Returns offers that an order has taken, or expires those whose time has ended. */
const returned = (state: AdmissionState, offers: readonly ReservationState[]): Change[] =>
  offers.map((offer) =>
    isExpired(offer, state.now)
      ? closed(offer.id, 'expired')
      : { kind: 'return_offer', id: offer.id },
  );

/** The offers whose seats an order has reserved. */
export const takenOffers = (state: AdmissionState, orderId: string): ReservationState[] =>
  [...state.reservations.values()].filter(
    (reservation) => reservation.state === 'taken' && reservation.offer?.takenBy === orderId,
  );

/** The offer that a registration can take now. */
export function openOffer(
  state: AdmissionState,
  { offerId }: Pick<RegistrationState, 'offerId'>,
): ReservationState | null {
  const offer = offerId === null ? undefined : state.reservations.get(offerId);
  return offer?.state === 'active' && !isExpired(offer, state.now) ? offer : null;
}

/** Closes the offer of a registration, if it has one. */
export const closeOffer = (
  { offerId }: Pick<RegistrationState, 'offerId'>,
  to: 'fulfilled' | 'released',
): Change[] => (offerId === null ? [] : [closed(offerId, to)]);

/**
 * Withdraws the offer of a registration that ends. An order that has taken it cannot be delivered
 * any more: its reservation is released for good, and its other offers are returned.
 */
export function withdrawOffer(
  state: AdmissionState,
  { offerId }: Pick<RegistrationState, 'offerId'>,
): Change[] {
  if (offerId === null) return [];
  const orderId = state.reservations.get(offerId)?.offer?.takenBy ?? null;
  const withdrawn = closed(offerId, 'released');
  if (orderId === null) return [withdrawn];
  const others = takenOffers(state, orderId).filter(({ id }) => id !== offerId);
  return [withdrawn, closed(orderId, 'released'), ...returned(state, others)];
}

const closed = (id: string, to: 'fulfilled' | 'released' | 'expired'): Change => ({
  kind: 'close_reservation',
  id,
  to,
  fulfilment: null,
});
