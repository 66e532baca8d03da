import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { CancelledSeat } from '../orders/cancelled-seat.entity.ts';
import { EventProjectionTable } from '../projections/event.projection.ts';
import type { SeatAmounts } from './cancelled-seats.rules.ts';

const columns = columnsOf(CancelledSeat, 'c', {
  only: ['registrationId', 'orderId', 'businessUnitId', 'eventId', 'cancelledAt'],
});

export type CancelledSeatRow = RowOf<typeof columns>;

// Read through `cancelled_seat_undecided`. What a cancelled event pays back is decided by order.
const undecided = statement<CancelledSeatRow>(
  'cancelled_seats_undecided',
  `select ${columns.sql} from commerce.cancelled_seat c
   where c.decided_at is null and c.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or c.business_unit_id = $3)
     and not exists (
       select from commerce.event_projection e join commerce.customer_order o on o.id = c.order_id
       where e.id = c.event_id and (e.business_unit_id = c.business_unit_id) is true
         and (e.cancelled_at is not null) is true and (o.event_cancelled_at is null and o.status = 'paid') is true)
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

const start = columnsOf(EventProjectionTable, 'e', {
  only: ['startsAt', 'timezone', 'cancelledAt'],
});

const startOfEvent = statement<RowOf<typeof start>>(
  'event_start',
  `select ${start.sql} from commerce.event_projection e
   where e.business_unit_id = $1 and e.id = $2`,
);

/** What refunds depend on; null where the projection has no time zone yet. */
export async function readEventStart(
  tx: Tx,
  { businessUnitId, eventId }: { businessUnitId: string; eventId: string },
): Promise<(EventStart & { cancelledAt: Date | null }) | null> {
  const [row] = await tx.query(startOfEvent, [businessUnitId, eventId]);
  if (!row?.timezone) return null;
  const { startsAt, timezone, cancelledAt } = row;
  return { startsAt, timezone, cancelledAt };
}
