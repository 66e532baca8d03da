import type { Invariant } from './invariant.ts';

const refundedAmount = `coalesce((select sum(r.amount) from commerce.refund r
  where r.settlement_id = s.id and r.state not in ('failed', 'withdrawn')), 0)`;

/** Invariants of money: each amount received is accounted for exactly once. */
export const moneyInvariants: Invariant[] = [
  {
    title: 'each provider payment has at most one settlement',
    promise: 'I4',
    needs: 'commerce.settlement',
    sql: `select provider, provider_payment_id from commerce.settlement
      group by 1, 2 having count(*) > 1`,
  },
  {
    title: 'each settlement either pays for its order or is refunded',
    promise: 'I4',
    needs: 'commerce.settlement',
    sql: `select s.id, s.state, o.status from commerce.settlement s
      left join commerce.customer_order o on o.id = s.order_id
      where case s.state
        when 'received' then true
        when 'unmatched' then s.order_id is not null
        when 'unusable' then s.order_id is not null or ${refundedAmount} <> 0
        when 'accepted' then o.settlement_id is distinct from s.id
          or o.status not in ('paid', 'refund_due', 'refunded')
          or (o.status in ('refund_due', 'refunded') and ${refundedAmount} <> s.amount)
        else o.settlement_id is not distinct from s.id or ${refundedAmount} <> s.amount end`,
  },
  {
    title: 'refunds do not exceed their settlement',
    promise: 'I4',
    needs: 'commerce.settlement',
    sql: `select s.id from commerce.settlement s where s.amount < ${refundedAmount}`,
  },
  {
    title: 'each paid order has a settlement of its total',
    promise: 'I4',
    needs: 'commerce.customer_order',
    sql: `select o.id from commerce.customer_order o left join commerce.settlement s on s.id = o.settlement_id
      where o.status = 'paid' and o.total_amount > 0
        and (s.amount, s.currency) is distinct from (o.total_amount, o.currency)`,
  },
  {
    title: 'money received equals money kept, due and refunded',
    promise: 'I4',
    needs: 'commerce.settlement',
    sql: `with money as (
        select currency, amount as received, 0 as accounted from commerce.settlement
          where state not in ('received', 'unmatched', 'unusable')
        union all select o.currency, 0, o.total_amount - coalesce((select sum(r.amount) from commerce.refund r
            where r.settlement_id = o.settlement_id and r.state not in ('failed', 'withdrawn')), 0)
          from commerce.customer_order o where o.status = 'paid' and o.settlement_id is not null
        union all select currency, 0, amount from commerce.refund where state not in ('failed', 'withdrawn'))
      select currency, sum(received) as received, sum(accounted) as accounted from money
      group by 1 having sum(received) <> sum(accounted)`,
  },
  {
    title: 'no amount is negative',
    promise: 'I8',
    needs: 'commerce.order_line',
    sql: `select order_id as id from commerce.order_line
        where least(quantity, unit_amount, discount_amount, total_amount) < 0
      union all select id from commerce.customer_order where total_amount < 0
      union all select id from commerce.settlement where amount < 0`,
  },
];
