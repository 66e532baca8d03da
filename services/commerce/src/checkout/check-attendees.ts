import { checkReservation } from '@event-api/contracts/internal/reservations';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { attendeeRegistered, notRegistered, offerEnded } from '../errors.ts';
import { fieldOfSeat, fieldOfUnregistered } from '../orders/lines.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { reservationOf } from './reservation-of.ts';

/**
 * Rejects an order that can no longer be delivered, before the buyer pays for it: an attendee has
 * registered elsewhere since it was placed, the registration whose offer it has taken is cancelled,
 * or the recipient of an add-on is not registered any more. The order stays as it is.
 *
 * Errors: 412 `ATTENDEE_REGISTERED`, `NOT_REGISTERED`; 503 if registration is unavailable.
 */
export async function requireDeliverable(
  deps: { registration: ServiceClient },
  order: OrderRow,
): Promise<void> {
  const refusal = await findDeliveryRefusal(deps, order);
  if (refusal) throw refusal;
}

/** The error of `requireDeliverable`, or null. Errors: 503 if registration is unavailable. */
export async function findDeliveryRefusal(
  { registration }: { registration: ServiceClient },
  order: OrderRow,
): Promise<Error | null> {
  const result = await registration.call(checkReservation, reservationOf(order));
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
