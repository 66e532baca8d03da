import type { RegistrationStatus } from '@event-api/contracts/http/registrations';

/** An active registration of an attendee of the reservation. */
export interface AttendeeRegistration {
  normalEmail: string;
  status: RegistrationStatus;
  orderId: string | null;
}

export type CheckDecision = { outcome: 'ok' } | { outcome: 'attendee_registered'; seat: number };

/**
 * Decides whether every seat of a reservation can still become a registration of its attendee.
 * Source: docs/rules.md, "Seat reservations".
 */
export function decideCheck(
  reservationId: string,
  seats: readonly { normalEmail: string }[],
  registrations: readonly AttendeeRegistration[],
): CheckDecision {
  const taken = new Set(
    registrations.filter((each) => blocksSeat(each, reservationId)).map((each) => each.normalEmail),
  );
  const seat = seats.findIndex(({ normalEmail }) => taken.has(normalEmail));
  return seat >= 0 ? { outcome: 'attendee_registered', seat } : { outcome: 'ok' };
}

/** Whether a registration keeps the order from creating one for the same attendee. */
const blocksSeat = ({ orderId }: AttendeeRegistration, reservationId: string): boolean =>
  orderId !== reservationId;
