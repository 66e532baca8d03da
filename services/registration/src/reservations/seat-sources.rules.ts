import { openOffer, takenOffers } from '../seats/promotion/promotion.rules.ts';
import type {
  AdmissionState,
  Person,
  RegistrationState,
  ReservationState,
} from '../seats/seats.rules.ts';

/** One seat of a reservation: its attendee and ticket type. */
export interface RequestedSeat {
  /** Null for an open seat. */
  person: Person | null;
  ticketTypeId: string;
  /** Codes do not apply to a seat of a bundle, and it takes none of their uses. */
  inBundle: boolean;
  /** What the order pays for it; undefined before its price is known. */
  amount?: number | undefined;
}

/** Where a seat comes from. */
export type AssignedSeat =
  /** Nobody's: the attendee has no active registration, or there is no attendee yet. */
  | { source: 'new' }
  /** The waitlisted registration of the attendee, with an open offer of this ticket type. */
  | { source: 'offer'; offer: ReservationState; registration: RegistrationState }
  /** None: the attendee has an active registration without an offer that the order can take. */
  | { source: 'registered'; registration: RegistrationState };

/** The source of each seat of an order. */
export const assignSeats = (
  state: AdmissionState,
  seats: readonly RequestedSeat[],
): AssignedSeat[] =>
  seats.map(({ person, ticketTypeId }) => {
    const registration = registrationOfSeat(state, person);
    if (!registration) return { source: 'new' };
    const offer = registration.ticketTypeId === ticketTypeId && openOffer(state, registration);
    return offer
      ? { source: 'offer', offer, registration }
      : { source: 'registered', registration };
  });

/** The active registration of the attendee of a seat; none for an open seat. */
export const registrationOfSeat = (
  state: AdmissionState,
  person: Pick<Person, 'normalEmail'> | null,
): RegistrationState | undefined =>
  person ? activeRegistration(state, person.normalEmail) : undefined;

/** The active registration of an email. */
export const activeRegistration = (
  state: AdmissionState,
  email: string,
): RegistrationState | undefined => state.registrations.get(state.active.get(email) ?? '');

/**
 * Whether an order got the seat of a registration from its offer, also when the order has returned
 * the offer since. A reservation of the previous release lists no registrations.
 */
export const wasOffered = (
  state: AdmissionState,
  { id: orderId, offeredTo }: ReservationState,
  { id }: Pick<RegistrationState, 'id'>,
): boolean =>
  offeredTo.includes(id) ||
  takenOffers(state, orderId).some(({ offer }) => offer?.registrationId === id);

/** How many seats of a type an order has reserved in addition to the offers that it took. */
export function newSeatsOf(
  state: AdmissionState,
  reservation: ReservationState,
  seats: readonly RequestedSeat[],
  ticketTypeId: string,
): number {
  const offered = seats.filter(({ person, ...seat }) => {
    const existing = registrationOfSeat(state, person);
    return (
      seat.ticketTypeId === ticketTypeId && existing && wasOffered(state, reservation, existing)
    );
  });
  return (reservation.seats.get(ticketTypeId) ?? 0) - offered.length;
}

/**
 * Whether an attendee who had an offer when the order was placed is not registered any more: the
 * registration was cancelled, or belongs to another person.
 */
export function hasLostAttendee(
  state: AdmissionState,
  { offeredTo }: ReservationState,
  seats: readonly RequestedSeat[],
): boolean {
  const present = seats.map(({ person }) => registrationOfSeat(state, person)?.id);
  return offeredTo.some((id) => !present.includes(id));
}
