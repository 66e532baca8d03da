import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { SeatAssignment } from './seat-assignment.entity.ts';

const columns = columnsOf(SeatAssignment, 'a', { omit: ['lastAttemptAt'] });

/** An open seat and the registration that it was assigned to. */
export type AssignmentRow = RowOf<typeof columns>;

const unstored = statement<AssignmentRow>(
  'seat_assignments_unstored',
  `select ${columns.sql} from commerce.seat_assignment a
   where a.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or a.business_unit_id = $3)
   order by a.last_attempt_at limit $2`,
);

/** Assignments that their orders do not show yet, of one business unit, or of all with null. */
export const findAssignments = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<AssignmentRow[]> => db.query(unstored, [minIdleMs, limit, businessUnitId]);

const isUnstored = statement<{ id: string }>(
  'seat_assignment_is_unstored',
  `select seat_id as id from commerce.seat_assignment where (registration_id = $1) is true limit 1`,
);

/** Whether the order does not show yet that this registration has one of its open seats. */
export const hasUnstoredAssignment = async (db: Db, registrationId: string): Promise<boolean> =>
  (await db.query(isUnstored, [registrationId])).length > 0;

const setLastAttemptAt = statement(
  'seat_assignment_record_attempt',
  'update commerce.seat_assignment set last_attempt_at = clock_timestamp() where seat_id = $1',
);

export const recordAssignmentAttempt = (db: Db, seatId: string) =>
  db.query(setLastAttemptAt, [seatId]);

// The registration takes the place of the seat wherever the order has it. The status stands in for
// the message of the registration: version 0 is older than every message.
const store = statement(
  'order_set_assigned_seat',
  `with line as (
     update commerce.order_line set registration_ids = array_replace(registration_ids, $2, $3)
     where order_id = $1 and $2 = any(registration_ids)
   ), seat as (
     update commerce.customer_order set
       addon_registration_id = case when addon_registration_id = $2 then $3 else addon_registration_id end,
       cancelled_seat_ids = array_remove(cancelled_seat_ids, $2)
     where id = $1 and (addon_registration_id = $2 or $2 = any(cancelled_seat_ids))
   ), registration as (
     insert into commerce.registration_projection (id, business_unit_id, event_id, version, status, order_id)
     select $3, $4, $5, 0, $6, $1 where $6::text is not null
     on conflict (id) do nothing
   )
   delete from commerce.seat_assignment where seat_id = $2`,
);

/**
 * Stores in the order who has the seat; a second time without an effect. `status` is that of the
 * registration, or null if the projection has it.
 */
export const writeAssignment = (
  tx: Tx,
  { orderId, seatId, registrationId, businessUnitId, eventId }: AssignmentRow,
  status: RegistrationStatus | null,
) => tx.query(store, [orderId, seatId, registrationId, businessUnitId, eventId, status]);

const reopen = statement(
  'order_set_open_seat',
  `with line as (
     update commerce.order_line set registration_ids = array_replace(registration_ids, $2, $3)
     where order_id = $1 and $2 = any(registration_ids)
   ), seat as (
     update commerce.customer_order set addon_registration_id = $3 where id = $1 and addon_registration_id = $2
   )
   delete from commerce.seat_assignment where seat_id = $3`,
);

/**
 * Puts seats back in the place of the registrations that had them, as if they were never assigned.
 * `seats` has the seat of each registration.
 */
export async function writeOpenSeats(
  tx: Tx,
  orderId: string,
  seats: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [registrationId, seatId] of seats) {
    await tx.query(reopen, [orderId, registrationId, seatId]);
  }
}
