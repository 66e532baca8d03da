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
  | ({ outcome: 'not_registered' } & NotRegistered);

/** What an order is checked for. Emails are normalized. */
export interface CheckRequest {
  reservationId: string;
  buyerEmail: string;
  seats: readonly { normalEmail: string; ticketTypeId: string }[];
  addonIds: readonly string[];
  addons: readonly RequestedAddon[] | undefined;
}

/**
 * Decides whether every seat of a reservation can still become a registration of its attendee, and
 * every add-on has a recipient.
 */
export function decideCheck(
  { reservationId, seats, ...rest }: CheckRequest,
  registrations: readonly AttendeeRegistration[],
): CheckDecision {
  const byEmail = new Map(registrations.map((each) => [each.normalEmail, each]));
  const seat = seats.findIndex(({ normalEmail, ticketTypeId }) => {
    const registration = byEmail.get(normalEmail);
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
