import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { hasOpenDispute } from '../disputes/disputes.queries.ts';
import { type RefundRow, refundColumns } from '../refunds/refunds.queries.ts';

// Read through `refund_owed`. The provider has refused one with a failure: an operator repeats it.
const ofEvent = (state: 'due' | 'pending') =>
  `r.business_unit_id = $2 and r.event_id = $1 and r.state = '${state}' and r.failure is null`;

const dueRefunds = statement<RefundRow>(
  'cancellation_due_refunds',
  `select ${refundColumns.sql} from commerce.refund r where ${ofEvent('due')}
     and not ${hasOpenDispute('r.settlement_id')}
   order by r.created_at, r.id limit $3`,
);

/** What is owed to buyers of an event and waits for a decision, and no open dispute holds back. */
export const findDueRefunds = (
  db: Db,
  { eventId, businessUnitId }: EventScope,
  limit: number,
): Promise<RefundRow[]> => db.query(dueRefunds, [eventId, businessUnitId, limit]);

const left = statement<{ due: number; pending: number }>(
  'cancellation_count_refunds',
  `select (select count(*)::int from commerce.refund r where ${ofEvent('due')}
       and not ${hasOpenDispute('r.settlement_id')}) as due,
     (select count(*)::int from commerce.refund r
      where r.business_unit_id = $2 and r.event_id = $1 and r.state = 'pending') as pending`,
);

/** Counts what the cancellation of an event has to send, or has sent without a response. */
export async function countRefunds(db: Db, { eventId, businessUnitId }: EventScope) {
  const [row] = await db.query(left, [eventId, businessUnitId]);
  return row ?? { due: 0, pending: 0 };
}

const owed = statement<{ currency: string; orders: number; amount: number }>(
  'cancellation_owed',
  `select r.currency, count(distinct r.order_id)::int as orders, sum(r.amount)::bigint as amount
   from commerce.refund r where ${ofEvent('due')} group by 1 order by 1`,
);

/** The sums of what is due already, by currency. */
export const sumDueRefunds = (db: Db, { eventId, businessUnitId }: EventScope) =>
  db.query(owed, [eventId, businessUnitId]);

// Read through `refund_newest`: most refunds of a cancelled event are younger than its cancellation.
const sinceCancelled = `r.business_unit_id = $2 and r.event_id = $1 and (r.created_at >= $3 or r.requested_at >= $3 or r.done_at >= $3)`;

const sums = statement<{ currency: string; sent: number; pending: number; due: number }>(
  'cancellation_refund_sums',
  `select r.currency, coalesce(sum(r.amount) filter (where r.state = 'done'), 0)::bigint as sent,
     coalesce(sum(r.amount) filter (where r.state = 'pending'), 0)::bigint as pending,
     coalesce(sum(r.amount) filter (where r.state in ('due', 'failed')), 0)::bigint as due
   from commerce.refund r where ${sinceCancelled} and r.state <> 'withdrawn' group by 1 order by 1`,
);

/** The refunds since an instant, by currency. */
export const sumRefundsSince = (db: Db, { eventId, businessUnitId }: EventScope, at: Date) =>
  db.query(sums, [eventId, businessUnitId, at]);

const failed = statement<{
  orderId: string;
  orderNumber: string;
  amount: number;
  currency: string;
  reason: string;
}>(
  'cancellation_failed_refunds',
  `select r.order_id as "orderId", o.order_number as "orderNumber", r.amount, r.currency, r.failure as reason
   from commerce.refund r join commerce.customer_order o on o.id = r.order_id and (o.business_unit_id = r.business_unit_id) is true
   where ${sinceCancelled} and r.state in ('due', 'failed') and r.failure is not null
   order by r.created_at, r.id limit 100`,
);

/** The first refunds since an instant that the provider has refused. */
export const findFailedRefunds = (db: Db, { eventId, businessUnitId }: EventScope, at: Date) =>
  db.query(failed, [eventId, businessUnitId, at]);
