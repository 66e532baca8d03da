import type { assignSeat as assignOperation } from '@event-api/contracts/http/checkout';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { assignSeat as assignAtRegistration } from '@event-api/contracts/internal/reservations';
import {
  type ApiError,
  notFound,
  rethrowMissing,
  unavailable,
} from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { z } from 'zod';
import {
  attendeeRegistered,
  eventArchived,
  eventCancelled,
  eventEnded,
  malformed,
  seatNotOpen,
} from '../errors.ts';
import { changeOrder } from '../orders/change-order.ts';
import { currentSeatsOf, type OrderSeat } from '../orders/order-seats.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import { effectiveStatus } from '../orders/orders.rules.ts';
import {
  type AssignmentRow,
  recordAssignmentAttempt,
  writeAssignment,
} from '../orders/seat-assignments.queries.ts';
import { readEventTimes, replaceRegistrations } from '../refunds/cancelled-seats.queries.ts';

export interface AssignDeps {
  db: Database;
  registration: ServiceClient;
  refresher: ProjectionRefresher;
}

type Attendee = z.output<typeof assignOperation.schema.body>;

/** A seat of an order as it is now. Errors: 404. */
export function requireSeat(order: OrderRow, seatId: string): OrderSeat {
  const seat = currentSeatsOf(order).find(({ id }) => id === seatId);
  if (!seat) throw notFound();
  return seat;
}

/**
 * Gives an open seat of a paid order to a person, and returns the order. Registration decides and
 * creates the registration; then the order stores it. If the process ends in between, the message of
 * the registration has the sweep store it. Safe to retry for the same person.
 *
 * Errors: 400 for responses; 412 `EVENT_ARCHIVED`, `EVENT_CANCELLED`, `EVENT_ENDED`,
 * `SEAT_NOT_OPEN`, `ATTENDEE_REGISTERED`; 503. Locks: the order. Reports: `order.updated`.
 */
export async function assignSeat(
  { db, registration, refresher }: AssignDeps,
  order: OrderRow,
  seat: OrderSeat,
  attendee: Attendee,
): Promise<OrderRow> {
  const { id: orderId, businessUnitId, eventId } = order;
  if (effectiveStatus(order) !== 'paid') throw await refusalOf(db, order, seatNotOpen(seat.status));
  const ref = { businessUnitId, eventId, orderId, seatId: seat.id };
  const result = await registration.call(assignAtRegistration, {
    ...ref,
    ...attendee,
    responses: attendee.responses ?? order.responses,
  });
  reachStep('assign.responded');
  switch (result.outcome) {
    case 'assigned':
      return storeAssignment(db, { ...ref, registrationId: result.registrationId }, result.status);
    case 'not_open':
      // Registration has given the seat to somebody; the order knows whether that has ended.
      throw await refusalOf(
        db,
        order,
        seatNotOpen(seat.status === 'cancelled' ? seat.status : result.seat),
      );
    case 'unknown':
      // A seat that was sold with an attendee was never open. Any other one is lost in a restore.
      if (seat.status !== 'open') throw await refusalOf(db, order, seatNotOpen(seat.status));
      throw unavailable(new Error('registration does not have the open seat'));
    case 'invalid_responses':
      throw malformed(result.issues);
    case 'attendee_registered':
      throw attendeeRegistered('email');
    case 'event_archived':
      await refresher.refresh([eventRef(ref)]).catch(rethrowMissing('event'));
      throw await refusalOf(db, order, eventArchived());
    case 'event_ended':
      throw eventEnded();
  }
}

/** The cancellation of the event has archived it and cancelled its seats: it is the reason to tell. */
async function refusalOf(db: Database, order: OrderRow, otherwise: ApiError): Promise<ApiError> {
  const event = await readEventTimes(db, order);
  return event?.cancelledAt ? eventCancelled() : otherwise;
}

/**
 * Stores an assignment that an earlier request has left out of its order. Locks: the order. Reports:
 * `order.updated`.
 */
export async function applyAssignment(db: Database, assignment: AssignmentRow): Promise<void> {
  await recordAssignmentAttempt(db, assignment.seatId);
  await storeAssignment(db, assignment, null);
}

async function storeAssignment(
  db: Database,
  assignment: AssignmentRow,
  status: RegistrationStatus | null,
): Promise<OrderRow> {
  const { orderId, seatId, registrationId } = assignment;
  const { order } = await db.transaction((tx) =>
    changeOrder(tx, orderId, async () => {
      await writeAssignment(tx, assignment, status);
      await replaceRegistrations(tx, orderId, new Map([[seatId, registrationId]]));
    }),
  );
  return order;
}
