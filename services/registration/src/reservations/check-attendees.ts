import { normalEmail } from '@event-api/contracts/email';
import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type CheckDecision, type CheckRequest, decideCheck } from './check.rules.ts';
import { findActiveOfEmails } from './reservations.queries.ts';

/**
 * Checks that no attendee of a reservation has registered since, and that the recipients of its
 * add-ons are registered. The result can be outdated when it arrives: a fulfilment decides again.
 */
export async function checkAttendees(db: Db, body: ReservationInput): Promise<CheckDecision> {
  const request = checkRequest(body);
  return decideCheck(request, await findActiveOfEmails(db, body, emailsOf(request)));
}

/** Returns the ids of the reservations of an event that would not pass `checkAttendees`. */
export async function findUndeliverable(
  db: Db,
  scope: EventScope,
  reservations: readonly Omit<ReservationInput, keyof EventScope>[],
): Promise<string[]> {
  const requests = reservations.map(checkRequest);
  const emails = [...new Set(requests.flatMap(emailsOf))];
  const registrations = await findActiveOfEmails(db, scope, emails);
  return requests
    .filter((request) => decideCheck(request, registrations).outcome !== 'ok')
    .map(({ reservationId }) => reservationId);
}

const checkRequest = ({
  reservationId,
  buyer,
  seats,
  addonIds,
  addons,
}: Omit<ReservationInput, keyof EventScope>): CheckRequest => ({
  reservationId,
  buyerEmail: normalEmail(buyer.email),
  seats: seats.map(({ email, ticketTypeId }) => ({
    normalEmail: normalEmail(email),
    ticketTypeId,
  })),
  addonIds,
  addons: addons?.map(({ addonId, emails }) => ({ addonId, emails: emails.map(normalEmail) })),
});

const emailsOf = ({ buyerEmail, seats, addons }: CheckRequest): string[] => [
  ...new Set([
    buyerEmail,
    ...seats.map((seat) => seat.normalEmail),
    ...(addons ?? []).flatMap((addon) => addon.emails),
  ]),
];
