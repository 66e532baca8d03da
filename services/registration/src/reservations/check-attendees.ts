import { normalEmail } from '@event-api/contracts/http/fields';
import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import type { Db } from '@event-api/platform/db/database';
import { type CheckDecision, decideCheck } from './check/rules.ts';
import { findActiveOfEmails } from './queries.ts';

/**
 * Checks that no attendee of a reservation has registered since. The result can be outdated when it
 * arrives: a fulfilment decides again.
 */
export async function checkAttendees(db: Db, body: ReservationInput): Promise<CheckDecision> {
  const seats = body.seats.map(({ email, ticketTypeId }) => ({
    normalEmail: normalEmail(email),
    ticketTypeId,
  }));
  const emails = seats.map((seat) => seat.normalEmail);
  const registrations = await findActiveOfEmails(db, body, emails);
  return decideCheck(body.reservationId, seats, registrations);
}
