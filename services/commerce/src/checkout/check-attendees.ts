import { checkReservation } from '@event-api/contracts/internal/reservations';
import { ApiError } from '@event-api/platform/core/errors';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { attendeeRegistered } from '../errors.ts';
import { fieldOfSeat } from '../orders/lines/rules.ts';
import type { OrderRow } from '../orders/queries.ts';
import { reservationOf } from './reservation-of.ts';

/**
 * Rejects an order if an attendee has registered elsewhere since it was placed, before the buyer
 * pays for a seat that cannot be created. The order stays held.
 *
 * Errors: 412 `ATTENDEE_REGISTERED`; 503 if registration is unavailable.
 */
export async function requireNewAttendees(
  { registration }: { registration: ServiceClient },
  order: OrderRow,
): Promise<void> {
  if (order.seats.length === 0) return;
  const result = await registration
    .call(checkReservation, reservationOf(order))
    .catch((error: unknown) => {
      // The previous release of registration does not have the operation.
      if (error instanceof ApiError && error.code === 404) return { outcome: 'ok' } as const;
      throw error;
    });
  if (result.outcome === 'ok') return;
  throw attendeeRegistered(fieldOfSeat(order.lines, result.seat));
}
