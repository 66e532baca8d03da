import type { RegistrationStatus } from '@event-api/contracts/http/registrations';

/** An active registration of an attendee of the reservation. */
export interface AttendeeRegistration {
  normalEmail: string;
  status: RegistrationStatus;
  ticketTypeId: string | null;
  orderId: string | null;
}

export type CheckDecision = { outcome: 'ok' } | { outcome: 'attendee_registered'; seat: number };

/**
 * Decides whether every seat of a reservation can still become a registration of its attendee.
 * Source: docs/rules.md, "Seat reservations".
 */
export function decideCheck(
  reservationId: string,
  seats: readonly { normalEmail: string; ticketTypeId: string }[],
  registrations: readonly AttendeeRegistration[],
): CheckDecision {
  const byEmail = new Map(registrations.map((each) => [each.normalEmail, each]));
  const seat = seats.findIndex(({ normalEmail, ticketTypeId }) => {
    const registration = byEmail.get(normalEmail);
    return registration && blocksSeat(registration, ticketTypeId, reservationId);
  });
  return seat >= 0 ? { outcome: 'attendee_registered', seat } : { outcome: 'ok' };
}

/**
 * Whether a registration keeps the order from creating one for the same attendee. One that waits for
 * a seat of the type is confirmed with the seat of the order.
 */
const blocksSeat = (
  { orderId, status, ticketTypeId }: AttendeeRegistration,
  seatTypeId: string,
  reservationId: string,
): boolean =>
  orderId !== reservationId && !(status === 'waitlisted' && ticketTypeId === seatTypeId);
