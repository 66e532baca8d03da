import { checkReservation } from '@event-api/contracts/internal/reservations';
import type { Db } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { attendeeRegistered, eventCancelled, notRegistered, offerEnded } from '../errors.ts';
import { fieldOfSeat, fieldOfUnregistered } from '../orders/lines.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { isEventCancelled } from './checkout.queries.ts';
import { reservationOf } from './reservation-of.ts';

interface CheckDeps {
  db: Db;
  registration: ServiceClient;
}

/**
 * Rejects an order that can no longer be delivered, before the buyer pays for it: an attendee has
 * registered elsewhere since it was placed, the registration whose offer it has taken is cancelled,
 * the recipient of an add-on is not registered any more, or the event is cancelled. The order stays
 * as it is.
 *
 * Errors: 412 `ATTENDEE_REGISTERED`, `NOT_REGISTERED`, `EVENT_CANCELLED`; 503 if registration is
 * unavailable.
 */
export async function requireDeliverable(deps: CheckDeps, order: OrderRow): Promise<void> {
  const refusal = await findDeliveryRefusal(deps, order);
  if (refusal) throw refusal;
}

/** The error of `requireDeliverable`, or null. Errors: 503 if registration is unavailable. */
export async function findDeliveryRefusal(
  { db, registration }: CheckDeps,
  order: OrderRow,
): Promise<Error | null> {
  const [isCancelled, result] = await Promise.all([
    isEventCancelled(db, order),
    registration.call(checkReservation, reservationOf(order)),
  ]);
  if (isCancelled) return eventCancelled();
  switch (result.outcome) {
    case 'ok':
      return null;
    case 'attendee_registered':
      return attendeeRegistered(fieldOfSeat(order.lines, result.seat));
    case 'not_registered':
      if (result.seat !== undefined) return offerEnded(fieldOfSeat(order.lines, result.seat));
      return notRegistered(fieldOfUnregistered(order.addons, result));
  }
}
