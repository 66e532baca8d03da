import { openOffer, takenOffers } from '../seats/promotion/promotion.rules.ts';
import type {
  AdmissionState,
  Person,
  RegistrationState,
  ReservationState,
} from '../seats/seats.rules.ts';

/** One seat of a reservation: its attendee and ticket type. */
export interface RequestedSeat {
  person: Person;
  ticketTypeId: string;
  /** Codes do not apply to a seat of a bundle, and it takes none of their uses. */
  inBundle: boolean;
  /** What the order pays for it; undefined before its price is known. */
  amount?: number | undefined;
}

/** Where the seat of an attendee comes from. */
export type AssignedSeat =
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
    const registration = activeRegistration(state, person.normalEmail);
    if (!registration) return { source: 'new' };
    const offer = registration.ticketTypeId === ticketTypeId && openOffer(state, registration);
    return offer
      ? { source: 'offer', offer, registration }
      : { source: 'registered', registration };
  });

/** The active registration of an email. */
export const activeRegistration = (
  state: AdmissionState,
  email: string,
): RegistrationState | undefined => state.registrations.get(state.active.get(email) ?? '');

/** How many seats of a type a reservation has in addition to the offers that it has taken. */
export function newSeatsOf(
  state: AdmissionState,
  { id, seats }: ReservationState,
  ticketTypeId: string,
): number {
  const offered = takenOffers(state, id).filter((offer) => offer.seats.has(ticketTypeId));
  return (seats.get(ticketTypeId) ?? 0) - offered.length;
}
