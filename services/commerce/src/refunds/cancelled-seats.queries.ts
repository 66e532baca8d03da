import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { CancelledSeat } from '../orders/cancelled-seat.entity.ts';
import { EventProjectionTable } from '../projections/event.projection.ts';
import type { SeatAmounts } from './cancelled-seats.rules.ts';

const columns = columnsOf(CancelledSeat, 'c', {
  only: ['registrationId', 'orderId', 'businessUnitId', 'eventId', 'cancelledAt'],
});

export type CancelledSeatRow = RowOf<typeof columns>;

// Read through `cancelled_seat_undecided`.
const undecided = statement<CancelledSeatRow>(
  'cancelled_seats_undecided',
  `select ${columns.sql} from commerce.cancelled_seat c
   where c.decided_at is null and c.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and ($3::text is null or c.business_unit_id = $3)
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

const start = columnsOf(EventProjectionTable, 'e', { only: ['startsAt', 'timezone'] });

const startOfEvent = statement<RowOf<typeof start>>(
  'event_start',
  `select ${start.sql} from commerce.event_projection e
   where e.business_unit_id = $1 and e.id = $2`,
);

/** When an event begins, and its time zone; null where the projection has no time zone yet. */
export async function readEventStart(
  tx: Tx,
  { businessUnitId, eventId }: { businessUnitId: string; eventId: string },
): Promise<{ startsAt: Date | null; timezone: string } | null> {
  const [row] = await tx.query(startOfEvent, [businessUnitId, eventId]);
  return row?.timezone ? { startsAt: row.startsAt, timezone: row.timezone } : null;
}
