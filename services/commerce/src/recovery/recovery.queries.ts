import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { CustomerOrder } from '../orders/order.entity.ts';
import type { OrderRef } from '../orders/order-ref.ts';
import { Settlement } from '../settlements/settlement.entity.ts';
import { orderOfPayment, paymentOfSettlement } from '../settlements/settlements.queries.ts';

const scope = columnsOf(CustomerOrder, 'o', { only: ['businessUnitId', 'eventId'] });
const orderRef = `o.id as "orderId", ${scope.sql}`;

type OrderToRetry = OrderRef & { orderId: string };

const unfinished = statement<OrderToRetry>(
  'orders_unfinished',
  `select ${orderRef} from commerce.customer_order o
   where last_attempt_at <= clock_timestamp() - $1 * interval '1 ms' and ($3::text is null or business_unit_id = $3) and (
     (status in ('held', 'awaiting_payment') and (intent is not null or settlement_id is not null))
     or (status = 'expired' and settlement_id is not null)
     or (status = 'refunded' and revoked_at is null)
     or (status = 'paid' and intent in ('restore', 'release'))
     or (status = 'cancelled' and intent = 'release')
   ) order by last_attempt_at limit $2`,
);

/** Orders with an unfinished step, of one business unit, or of all with null. */
export const findUnfinished = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<OrderToRetry[]> => db.query(unfinished, [minIdleMs, limit, businessUnitId]);

const expiredHolds = statement<OrderToRetry>(
  'orders_expired_hold',
  `select ${orderRef} from commerce.customer_order o
   where ($3::text is null or o.business_unit_id = $3) and o.hold_expires_at <= clock_timestamp() and o.last_attempt_at <= clock_timestamp() - $1 * interval '1 ms'
     and o.intent is null and o.settlement_id is null and o.status in ('held', 'awaiting_payment')
   order by o.last_attempt_at limit $2`,
);

/** Orders whose hold has expired, of one business unit, or of all with null. */
export const findExpiredHolds = (
  db: Db,
  minIdleMs: number,
  limit: number,
  businessUnitId: string | null,
): Promise<OrderToRetry[]> => db.query(expiredHolds, [minIdleMs, limit, businessUnitId]);

/** Amounts per currency. */
export interface Balance {
  currency: string;
  received: number;
  kept: number;
  due: number;
  refunded: number;
}

/**
 * Received money, the part that orders keep, and refunds; each row with its order. What disputes take
 * counts as kept: no buyer is owed it.
 */
const money = `money as (
     select s.order_id, s.currency, s.amount as received, 0 as kept, 0 as due, 0 as refunded
     from commerce.settlement s where s.state not in ('received', 'unmatched', 'unusable')
     union all
     select o.id, o.currency, 0, o.total_amount - coalesce((
       select sum(r.amount) from commerce.refund r
       where r.order_id = o.id and (r.settlement_id = o.settlement_id) is true and r.state not in ('failed', 'withdrawn')), 0),
       0, 0
     from commerce.customer_order o
     where o.settlement_id is not null and o.status in ('paid', 'held', 'awaiting_payment', 'expired')
     union all
     select s.order_id, s.currency, 0, s.amount - coalesce((
       select sum(r.amount) from commerce.refund r
       where r.order_id = s.order_id and (r.settlement_id = s.id) is true and r.state not in ('failed', 'withdrawn')), 0),
       0, 0
     from commerce.order_change c join commerce.settlement s on s.id = c.settlement_id
     join commerce.customer_order o on o.id = c.order_id
     where (c.paid_at is not null or c.state = 'moving') and o.status = 'paid'
     union all
     select s.order_id, s.currency, 0, greatest(0, least(x.lost, s.amount - coalesce((
       select sum(r.amount) from commerce.refund r where r.order_id = s.order_id and (r.settlement_id = s.id) is true and (r.state not in ('failed', 'withdrawn')) is true), 0))), 0, 0
     from (select d.settlement_id, sum(d.amount) as lost from commerce.dispute d
       where d.status = 'lost' and d.order_id is not null group by 1) x
     join commerce.settlement s on s.id = x.settlement_id join commerce.customer_order o on o.id = s.order_id
     where not ((o.settlement_id = s.id) is true and o.status in ('paid', 'held', 'awaiting_payment', 'expired'))
       and not (o.status = 'paid' and exists (select from commerce.order_change c
         where c.settlement_id = s.id and (c.paid_at is not null or c.state = 'moving')))
     union all
     select order_id, currency, 0, 0, case when state in ('due', 'pending') then amount else 0 end,
       case when state = 'done' then amount else 0 end
     from commerce.refund
   )`;

const sums = `sum(m.received)::bigint as received, sum(m.kept)::bigint as kept, sum(m.due)::bigint as due,
     sum(m.refunded)::bigint as refunded`;

const balances = statement<Balance>(
  'balances',
  `with ${money}
   select m.currency, ${sums} from money m
   where $1::text is null or exists (
     select from commerce.customer_order o where o.id = m.order_id and o.business_unit_id = $1)
   group by 1 order by 1`,
);

/**
 * The money of one business unit, or of all with null, per currency. It is balanced if received =
 * kept + due + refunded.
 */
export const readBalances = (db: Db, businessUnitId: string | null): Promise<Balance[]> =>
  db.query(balances, [businessUnitId]);

const unbalancedOrders = statement<Balance & OrderRef>(
  'orders_unbalanced',
  `with ${money}
   select m.order_id as "orderId", ${scope.sql}, m.currency, ${sums}
   from money m left join commerce.customer_order o on o.id = m.order_id
   where $1::text is null or o.business_unit_id = $1
   group by 1, 2, 3, 4
   having sum(m.received) <> sum(m.kept) + sum(m.due) + sum(m.refunded)
   order by 1 limit 100`,
);

/** Returns the first 100 orders whose money is not balanced. */
export const readUnbalancedOrders = (db: Db, businessUnitId: string | null) =>
  db.query(unbalancedOrders, [businessUnitId]);

const unmatchedColumns = columnsOf(Settlement, 's', {
  only: ['id', 'amount', 'currency', 'provider', 'providerPaymentId', 'reason'],
});

export type UnmatchedRow = RowOf<typeof unmatchedColumns> & OrderRef;

const unmatched = statement<UnmatchedRow>(
  'settlements_unmatched',
  `select ${unmatchedColumns.sql}, ${orderOfPayment.sql}
   from commerce.settlement s left join ${paymentOfSettlement}
   where (s.state = 'unmatched' or (s.state = 'unusable' and s.amount > 0)) and ($1::text is null or p.business_unit_id = $1)
   order by s.received_at, s.id limit 1000`,
);

/**
 * Payments that pay for no order, with the order of their payment page if this platform opened it.
 */
export const readUnmatched = (db: Db, businessUnitId: string | null): Promise<UnmatchedRow[]> =>
  db.query(unmatched, [businessUnitId]);
