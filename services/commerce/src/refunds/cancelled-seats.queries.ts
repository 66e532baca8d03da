import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { CancelledSeat } from '../orders/cancelled-seat.entity.ts';
import { EventProjectionTable } from '../projections/event.projection.ts';
import type { SeatAmounts } from './cancelled-seats.rules.ts';

const columns = columnsOf(CancelledSeat, 'c', {
  only: ['registrationId', 'orderId', 'businessUnitId', 'eventId', 'cancelledAt', 'endedWithEvent'],
});

export type CancelledSeatRow = RowOf<typeof columns>;

// Read through `cancelled_seat_undecided`. What a cancelled event pays back is decided by order, as in
// `followsEvent`. An open seat has its price once its order shows the registration.
const undecided = statement<CancelledSeatRow>(
  'cancelled_seats_undecided',
  `select ${columns.sql} from commerce.cancelled_seat c
   where c.decided_at is null and c.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or c.business_unit_id = $3)
     and not exists (select from commerce.seat_assignment a where a.registration_id = c.registration_id)
     and not exists (
       select from commerce.customer_order o
       where o.id = c.order_id and (o.event_cancelled_at is null and o.status = 'paid') is true
         and coalesce(c.ended_with_event, exists (
           select from commerce.event_projection e
           where e.id = c.event_id and (e.business_unit_id = c.business_unit_id) is true
             and (e.cancelled_at is not null) is true)))
   order by c.last_attempt_at limit $2`,
);

/**
 * Cancelled seats to which the policy of their order is not applied yet, of one business unit, or of
 * all with null.
 */
export const findUndecidedSeats = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<CancelledSeatRow[]> => db.query(undecided, [minIdleMs, limit, businessUnitId]);

const undecidedOfOrders = statement<CancelledSeatRow>(
  'cancelled_seats_undecided_of_orders',
  `select ${columns.sql} from commerce.cancelled_seat c
   where c.order_id = any($1) and (c.decided_at is null) is true order by c.cancelled_at, c.registration_id`,
);

/** The cancelled seats of these orders to which the policy is not applied yet, by order. */
export async function findUndecidedSeatsOfOrders(
  db: Db,
  orderIds: readonly string[],
): Promise<Map<string, CancelledSeatRow[]>> {
  const rows = await db.query(undecidedOfOrders, [orderIds]);
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

const setLastAttemptAt = statement(
  'cancelled_seat_record_attempt',
  'update commerce.cancelled_seat set last_attempt_at = clock_timestamp() where registration_id = $1',
);

export const recordSeatAttempt = (db: Db, registrationId: string) =>
  db.query(setLastAttemptAt, [registrationId]);

const isUndecidedSql = statement<{ id: string }>(
  'cancelled_seat_is_undecided',
  `select registration_id as id from commerce.cancelled_seat
   where registration_id = $1 and (decided_at is null) is true`,
);

/** Whether the policy is still to be applied. Call it under the lock of the order. */
export const isUndecided = async (tx: Tx, registrationId: string): Promise<boolean> =>
  (await tx.query(isUndecidedSql, [registrationId])).length > 0;

const decide = statement(
  'cancelled_seat_decide',
  `update commerce.cancelled_seat set decided_at = clock_timestamp(), paid_amount = $2, refund_amount = $3,
     kept_amount = $4, fee_amount = $5, band = $6, reason = $7
   where registration_id = $1 and (decided_at is null) is true`,
);

export const writeSeatAmounts = (tx: Tx, registrationId: string, amounts: SeatAmounts) =>
  tx.query(decide, [
    registrationId,
    amounts.paidAmount,
    amounts.refundAmount,
    amounts.keptAmount,
    amounts.feeAmount,
    amounts.band,
    amounts.reason,
  ]);

const insertDecided = statement<{ id: string }>(
  'cancelled_seats_insert_decided',
  `insert into commerce.cancelled_seat (registration_id, order_id, business_unit_id, event_id, cancelled_at, decided_at,
     paid_amount, refund_amount, kept_amount, fee_amount, band, reason, last_attempt_at)
   select x."registrationId", $1, $2, $3, $4, clock_timestamp(), x."paidAmount", x."refundAmount", x."keptAmount",
     x."feeAmount", x.band, x.reason, clock_timestamp()
   from jsonb_to_recordset($5::jsonb) as x("registrationId" text, "paidAmount" bigint, "refundAmount" bigint,
     "keptAmount" bigint, "feeAmount" bigint, band int, reason text)
   order by 1 on conflict (registration_id) do nothing returning registration_id as id`,
);

/**
 * Stores seats that are cancelled now with what is paid back for them, so that the sweep decides
 * none of them again. Returns the registrations whose cancellation was not known before.
 */
export async function insertDecidedSeats(
  tx: Tx,
  order: { id: string; businessUnitId: string; eventId: string },
  seats: readonly ({ registrationId: string } & SeatAmounts)[],
  cancelledAt: Date,
): Promise<string[]> {
  const { id, businessUnitId, eventId } = order;
  const values = [id, businessUnitId, eventId, cancelledAt, JSON.stringify(seats)];
  return (await tx.query(insertDecided, values)).map((row) => row.id);
}

// What is decided about the seat replaces the row that the message of the new registration has
// inserted, as in a registration that was cancelled at once.
const replaceSeats = statement(
  'cancelled_seats_replace',
  `with x as (
     select * from unnest($2::text[], $3::text[]) x(before, after)
   ), former as (
     delete from commerce.cancelled_seat c using x
     where c.registration_id = x.before and (c.order_id = $1) is true returning c.*, x.after
   )
   insert into commerce.cancelled_seat (registration_id, order_id, business_unit_id, event_id, cancelled_at, ended_with_event,
     decided_at, paid_amount, refund_amount, kept_amount, fee_amount, band, reason, last_attempt_at)
   select after, order_id, business_unit_id, event_id, cancelled_at, ended_with_event, decided_at, paid_amount,
     refund_amount, kept_amount, fee_amount, band, reason, last_attempt_at from former
   on conflict (registration_id) do update set cancelled_at = excluded.cancelled_at,
     ended_with_event = excluded.ended_with_event, decided_at = excluded.decided_at,
     paid_amount = excluded.paid_amount, refund_amount = excluded.refund_amount, kept_amount = excluded.kept_amount,
     fee_amount = excluded.fee_amount, band = excluded.band, reason = excluded.reason`,
);

const replaceRefunded = statement(
  'refunds_replace_registrations',
  `update commerce.refund r set registration_ids = array(
     select coalesce(x.after, i.id) from unnest(r.registration_ids) with ordinality i(id, n)
     left join unnest($2::text[], $3::text[]) x(before, after) on x.before = i.id order by i.n)
   where r.order_id = $1 and r.registration_ids && $2::text[]`,
);

/**
 * Puts registrations in the place of others, or of open seats, in what was decided about the money
 * of an order: a seat has one identity, so that its price is paid back once.
 */
export async function replaceRegistrations(
  tx: Tx,
  orderId: string,
  replaced: ReadonlyMap<string, string>,
): Promise<void> {
  if (replaced.size === 0) return;
  const values = [orderId, [...replaced.keys()], [...replaced.values()]];
  await tx.query(replaceSeats, values);
  await tx.query(replaceRefunded, values);
}

const times = columnsOf(EventProjectionTable, 'e', {
  only: ['status', 'startsAt', 'endsAt', 'timezone', 'cancelledAt', 'cancellationRefund'],
});

const timesOfEvent = statement<RowOf<typeof times> & { now: Date }>(
  'event_times',
  `select ${times.sql}, clock_timestamp() as now from commerce.event_projection e
   where e.business_unit_id = $1 and e.id = $2`,
);

type EventTimes = RowOf<typeof times> & { timezone: string; now: Date };

/**
 * When an event begins, ends and was cancelled, what its cancellation pays back, and the time of the database; null where the
 * projection has no time zone yet.
 */
export async function readEventTimes(
  db: Db,
  { businessUnitId, eventId }: { businessUnitId: string; eventId: string },
): Promise<EventTimes | null> {
  const [row] = await db.query(timesOfEvent, [businessUnitId, eventId]);
  const { timezone = null } = row ?? {};
  return row && timezone !== null ? { ...row, timezone } : null;
}
