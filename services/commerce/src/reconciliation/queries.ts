import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

const unfinished = statement<{ id: string }>(
  'orders_unfinished',
  `select id from commerce.customer_order
   where tried_at <= clock_timestamp() - $1 * interval '1 ms' and (
     (status in ('held', 'awaiting_payment') and (intent is not null or settlement_id is not null))
     or (status = 'expired' and settlement_id is not null)
     or (status = 'refunded' and revoked_at is null)
   ) order by tried_at limit $2`,
);

/** Orders of which a step was left half-way. */
export const findUnfinished = async (db: Db, idleMs: number, limit: number): Promise<string[]> =>
  (await db.query(unfinished, [idleMs, limit])).map(({ id }) => id);

const over = statement<{ id: string }>(
  'orders_over',
  `select o.id from commerce.customer_order o
   where o.hold_expires_at <= clock_timestamp() and o.tried_at <= clock_timestamp() - $1 * interval '1 ms'
     and o.intent is null and o.settlement_id is null and (
       o.status = 'held'
       or (o.status = 'awaiting_payment' and not exists (
         select from commerce.payment p where p.order_id = o.id and p.state in ('creating', 'open', 'ending')))
     ) order by o.tried_at limit $2`,
);

/** Orders whose hold is over and whose session, if they had one, has ended. */
export const findOver = async (db: Db, idleMs: number, limit: number): Promise<string[]> =>
  (await db.query(over, [idleMs, limit])).map(({ id }) => id);

const touch = statement(
  'order_touch',
  'update commerce.customer_order set tried_at = clock_timestamp() where id = $1',
);

export const touchOrder = (db: Db, id: string) => db.query(touch, [id]);

/** Amounts per currency. */
export interface Balance {
  currency: string;
  received: number;
  kept: number;
  due: number;
  refunded: number;
}

const balances = statement<Balance>(
  'balances',
  `with money as (
     select currency, sum(amount) as received, 0 as kept, 0 as due, 0 as refunded
     from commerce.settlement where state not in ('received', 'unmatched') group by 1
     union all
     select o.currency, 0, sum(o.total_amount - coalesce((
       select sum(r.amount) from commerce.refund r where r.settlement_id = o.settlement_id and r.state <> 'failed'), 0)),
       0, 0
     from commerce.customer_order o
     where o.settlement_id is not null and o.status in ('paid', 'held', 'awaiting_payment', 'expired') group by 1
     union all
     select currency, 0, 0, sum(case when state in ('due', 'pending') then amount else 0 end),
       sum(case when state = 'done' then amount else 0 end)
     from commerce.refund group by 1
   )
   select currency, sum(received)::bigint as received, sum(kept)::bigint as kept, sum(due)::bigint as due,
     sum(refunded)::bigint as refunded
   from money group by 1 order by 1`,
);

/** Where the money of every currency is: received = kept + due + refunded, or something is wrong. */
export const readBalances = (db: Db): Promise<Balance[]> => db.query(balances);

const unmatched = statement<{ id: string; amount: number; currency: string }>(
  'settlements_unmatched',
  `select id, amount, currency from commerce.settlement where state = 'unmatched' order by received_at, id limit 1000`,
);

/** Money that belongs to no order that is known here. */
export const readUnmatched = (db: Db) => db.query(unmatched);
