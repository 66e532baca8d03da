import { normalEmail } from '@event-api/contracts/http/fields';
import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import type { Db } from '@event-api/platform/db/database';
import { type CheckDecision, decideCheck } from './check.rules.ts';
import { findActiveOfEmails } from './reservations.queries.ts';

/**
 * Checks that no attendee of a reservation has registered since, and that the recipients of its
 * add-ons are registered. The result can be outdated when it arrives: a fulfilment decides again.
 */
export async function checkAttendees(db: Db, body: ReservationInput): Promise<CheckDecision> {
  const seats = body.seats.map(({ email, ticketTypeId }) => ({
    normalEmail: normalEmail(email),
    ticketTypeId,
  }));
  const buyerEmail = normalEmail(body.buyer.email);
  const addons = body.addons?.map(({ addonId, emails }) => ({
    addonId,
    emails: emails.map(normalEmail),
  }));
  const emails = new Set([
    buyerEmail,
    ...seats.map((seat) => seat.normalEmail),
    ...(addons ?? []).flatMap((addon) => addon.emails),
  ]);
  const registrations = await findActiveOfEmails(db, body, [...emails]);
  const { reservationId, addonIds } = body;
  return decideCheck({ reservationId, buyerEmail, seats, addonIds, addons }, registrations);
}
