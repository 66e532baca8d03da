import { normalEmail } from '@event-api/contracts/email';
import type { ReservationInput } from '@event-api/contracts/internal/reservations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type CheckDecision, type CheckRequest, decideCheck } from './check.rules.ts';
import { findActiveOfEmails, findLostAttendees } from './reservations.queries.ts';

/**
 * Checks that no attendee of a reservation has registered since, that those whose offers it has
 * taken still are, and that the recipients of its add-ons are registered. The result can be
 * outdated when it arrives: a fulfilment decides again.
 */
export async function checkAttendees(db: Db, body: ReservationInput): Promise<CheckDecision> {
  const request = checkRequest(body);
  const [registrations, lost] = await Promise.all([
    findActiveOfEmails(db, body, emailsOf(request)),
    findLostAttendees(db, body, [request.reservationId]),
  ]);
  return decideCheck(request, registrations, lost);
}

/** Returns the ids of the reservations of an event that would not pass `checkAttendees`. */
export async function findUndeliverable(
  db: Db,
  scope: EventScope,
  reservations: readonly Omit<ReservationInput, keyof EventScope>[],
): Promise<string[]> {
  const requests = reservations.map(checkRequest);
  const emails = [...new Set(requests.flatMap(emailsOf))];
  const ids = requests.map(({ reservationId }) => reservationId);
  const [registrations, lost] = await Promise.all([
    findActiveOfEmails(db, scope, emails),
    findLostAttendees(db, scope, ids),
  ]);
  return requests
    .filter((request) => decideCheck(request, registrations, lost).outcome !== 'ok')
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
    normalEmail: email === null ? null : normalEmail(email),
    ticketTypeId,
  })),
  addonIds,
  addons: addons?.map(({ addonId, emails }) => ({ addonId, emails: emails.map(normalEmail) })),
});

const emailsOf = ({ buyerEmail, seats, addons }: CheckRequest): string[] => [
  ...new Set([
    buyerEmail,
    ...seats.flatMap((seat) => seat.normalEmail ?? []),
    ...(addons ?? []).flatMap((addon) => addon.emails),
  ]),
];
