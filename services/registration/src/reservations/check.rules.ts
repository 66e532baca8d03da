import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { findUnregistered, type NotRegistered, type RequestedAddon } from './addons.rules.ts';

/** An active registration of an attendee of the reservation. */
export interface AttendeeRegistration {
  normalEmail: string;
  status: RegistrationStatus;
  ticketTypeId: string | null;
  orderId: string | null;
}

export type CheckDecision =
  | { outcome: 'ok' }
  | { outcome: 'attendee_registered'; seat: number }
  /** With `seat`: the registration is cancelled whose offer the order has taken for this seat. */
  | ({ outcome: 'not_registered' } & (NotRegistered | { seat: number }));

/** What an order is checked for. Emails are normalized. */
export interface CheckRequest {
  reservationId: string;
  buyerEmail: string;
  /** The email is null for an open seat. */
  seats: readonly { normalEmail: string | null; ticketTypeId: string }[];
  addonIds: readonly string[];
  addons: readonly RequestedAddon[] | undefined;
}

/** A registration that is not active any more, although an order has taken its offer. */
export interface LostAttendee {
  reservationId: string;
  normalEmail: string;
}

/**
 * Decides whether every seat of a reservation can still become a registration of its attendee, and
 * every add-on has a recipient. A seat that was offered to a registration ends with it, and so does
 * the order; without the seats in the request, that alone is decided.
 */
export function decideCheck(
  { reservationId, seats, ...rest }: CheckRequest,
  registrations: readonly AttendeeRegistration[],
  lost: readonly LostAttendee[],
): CheckDecision {
  const lostOfOrder = lost.filter((each) => each.reservationId === reservationId);
  if (lostOfOrder.length > 0) {
    const isLost = ({ normalEmail }: { normalEmail: string | null }) =>
      lostOfOrder.some((each) => each.normalEmail === normalEmail);
    return { outcome: 'not_registered', seat: Math.max(0, seats.findIndex(isLost)) };
  }
  const byEmail = new Map(registrations.map((each) => [each.normalEmail, each]));
  const seat = seats.findIndex(({ normalEmail, ticketTypeId }) => {
    const registration = normalEmail === null ? undefined : byEmail.get(normalEmail);
    return registration && blocksSeat(registration, ticketTypeId, reservationId);
  });
  if (seat >= 0) return { outcome: 'attendee_registered', seat };
  const unregistered = findUnregistered(byEmail, {
    ...rest,
    seatEmails: seats.map(({ normalEmail }) => normalEmail),
  });
  return unregistered ? { outcome: 'not_registered', ...unregistered } : { outcome: 'ok' };
}

/**
 * Whether a registration keeps the order from creating one for the same attendee. One that waits
 * for a seat of the type is confirmed with the seat of the order.
 */
const blocksSeat = (
  { orderId, status, ticketTypeId }: AttendeeRegistration,
  seatTypeId: string,
  reservationId: string,
): boolean =>
  orderId !== reservationId && !(status === 'waitlisted' && ticketTypeId === seatTypeId);
