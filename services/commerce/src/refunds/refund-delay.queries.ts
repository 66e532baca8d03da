import { defaultRefundAfterHours, type RefundDelay } from '@event-api/contracts/operator/refunds';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { hasOpenDispute } from '../disputes/disputes.queries.ts';
import { type RefundRow, refundColumns } from './refunds.queries.ts';

const byUnit = statement<Pick<RefundDelay, 'refundAfterHours'>>(
  'refund_delay_by_unit',
  `select refund_after_hours as "refundAfterHours" from commerce.refund_delay where business_unit_id = $1`,
);

/** The delay of a business unit; the default if it was never set. */
export async function readRefundDelay(db: Db, businessUnitId: string): Promise<RefundDelay> {
  const [row] = await db.query(byUnit, [businessUnitId]);
  return { businessUnitId, refundAfterHours: row ? row.refundAfterHours : defaultRefundAfterHours };
}

const set = statement<{ id: string }>(
  'refund_delay_set',
  `insert into commerce.refund_delay as d (business_unit_id, refund_after_hours) values ($1, $2)
   on conflict (business_unit_id) do update set refund_after_hours = excluded.refund_after_hours
     where d.refund_after_hours is distinct from excluded.refund_after_hours
   returning business_unit_id as id`,
);

/** Stores the delay. Returns whether it had another stored value, or none. */
export const writeRefundDelay = async (
  tx: Tx,
  { businessUnitId, refundAfterHours }: RefundDelay,
): Promise<boolean> => (await tx.query(set, [businessUnitId, refundAfterHours])).length > 0;

// Read through `refund_to_send`.
const toSend = statement<RefundRow>(
  'refunds_to_send',
  `select ${refundColumns.sql} from commerce.refund r
   where r.state = 'due' and r.failure is null and r.send_at <= clock_timestamp()
     and ($2::text is null or r.business_unit_id = $2)
     and not exists (select from commerce.refund_delay d
       where d.business_unit_id = r.business_unit_id and d.refund_after_hours is null)
     and not ${hasOpenDispute('r.settlement_id')}
   order by r.send_at limit $1`,
);

/**
 * Due refunds whose time has come and whose payment has no open dispute, of one business unit, or of
 * all with null.
 */
export const findRefundsToSend = (
  db: Db,
  limit: number,
  businessUnitId: string | null,
): Promise<RefundRow[]> => db.query(toSend, [limit, businessUnitId]);

const start = statement<{ id: string }>(
  'refund_start_due',
  `update commerce.refund set state = 'pending', last_attempt_at = clock_timestamp()
   where id = $1 and (state = 'due') is true and (failure is null) is true
     and not ${hasOpenDispute('commerce.refund.settlement_id')} returning id`,
);

/** Changes a due refund to `pending`. Returns false if it is not due any more, or is held by a dispute. */
export const startDueRefund = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.query(start, [id])).length > 0;
