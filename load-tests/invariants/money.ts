import type { Invariant } from './invariant.ts';

const refundedAmount = `coalesce((select sum(r.amount) from commerce.refund r
  where r.settlement_id = s.id and r.state not in ('failed', 'withdrawn')), 0)`;

const lostAmount = `coalesce((select sum(d.amount) from commerce.dispute d
  where d.settlement_id = s.id and d.status = 'lost'), 0)`;

/** What a lost dispute has taken is not refunded any more. */
const returnedAmount = `least(s.amount, ${refundedAmount} + ${lostAmount})`;

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
        when 'accepted' then (o.settlement_id is distinct from s.id and not exists (
            select from commerce.order_change c where c.settlement_id = s.id
              and (c.paid_at is not null or c.state = 'moving' or ${returnedAmount} = s.amount)))
          or o.status not in ('paid', 'refund_due', 'refunded')
          or (o.status in ('refund_due', 'refunded') and ${returnedAmount} <> s.amount)
        else o.settlement_id is not distinct from s.id or ${returnedAmount} <> s.amount end`,
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
        union all select s.currency, 0, s.amount - coalesce((select sum(r.amount) from commerce.refund r
            where r.settlement_id = s.id and r.state not in ('failed', 'withdrawn')), 0)
          from commerce.order_change c join commerce.settlement s on s.id = c.settlement_id
          join commerce.customer_order o on o.id = c.order_id where c.paid_at is not null and o.status = 'paid'
        union all select s.currency, 0, ${returnedAmount} - ${refundedAmount} from commerce.settlement s
          where s.state not in ('received', 'unmatched', 'unusable') and not exists (
            select from commerce.customer_order o where o.settlement_id = s.id and o.status = 'paid')
            and not exists (select from commerce.order_change c join commerce.customer_order o on o.id = c.order_id
              where c.settlement_id = s.id and c.paid_at is not null and o.status = 'paid')
        union all select currency, 0, amount from commerce.refund where state not in ('failed', 'withdrawn'))
      select currency, sum(received) as received, sum(accounted) as accounted from money
      group by 1 having sum(received) <> sum(accounted)`,
  },
  {
    title: 'each cancelled seat is refunded once, by what its policy promises',
    promise: 'I4',
    needs: 'commerce.cancelled_seat',
    sql: `select c.registration_id, c.refund_amount, r.amount from commerce.cancelled_seat c
      left join lateral (select coalesce(sum(f.amount), 0) as amount from commerce.refund f
        where f.order_id = c.order_id and f.cause = 'refund_policy' and c.registration_id = any(f.registration_ids)
          and f.state not in ('failed', 'withdrawn')) r on true
      where c.paid_amount < c.refund_amount + c.kept_amount
        or (c.paid_amount <> c.refund_amount + c.kept_amount and c.reason <> 'settled')
        or (c.refund_amount <> r.amount and not exists (
          select from commerce.refund f where f.order_id = c.order_id and f.cause = 'at_provider'))`,
  },
  {
    title: 'a cancelled seat gets the percentage of its band without the fee',
    promise: 'I4',
    needs: 'commerce.cancelled_seat',
    // Of orders of seats alone, which no operator has refunded.
    sql: `select c.registration_id, c.paid_amount, c.refund_amount from commerce.cancelled_seat c
      join commerce.customer_order o on o.id = c.order_id
      cross join lateral (select (c.paid_amount * (o.refund_policy->'bands'->c.band->>'percent')::int + 50) / 100 as part,
        coalesce((o.refund_policy->'bands'->c.band->>'fixedFee')::int, 0) as fee) b
      where c.reason = 'band' and c.refund_amount <> b.part - least(b.part, b.fee)
        and cardinality(o.addon_ids) = 0
        and not exists (select from commerce.refund f where f.order_id = o.id
          and f.cause <> 'refund_policy' and f.state not in ('failed', 'withdrawn'))`,
  },
  {
    title: 'the policy of an order applies to each of its cancelled seats',
    promise: 'I4',
    needs: 'commerce.customer_order',
    sql: `select r.id, o.id as order from registration.registration r
      join commerce.customer_order o on o.id = r.order_id
      where r.status in ('cancelled', 'rejected') and o.paid_at is not null and o.total_amount > 0
        and jsonb_array_length(o.refund_policy->'bands') > 0
        and not exists (select from commerce.cancelled_seat c
          where c.registration_id = r.id and c.decided_at is not null)`,
  },
  {
    title: 'a cancelled event pays back in full what no policy has kept',
    promise: 'I4',
    needs: ['catalog.event', 'commerce.cancelled_seat'],
    sql: `select o.id, o.total_amount, k.kept, a.kept as of_changes, f.refunded from commerce.customer_order o
      join catalog.event e on e.id = o.event_id and e.cancellation_refund = 'full'
      cross join lateral (select coalesce(sum(c.kept_amount), 0) as kept from commerce.cancelled_seat c
        where c.order_id = o.id and c.reason <> 'settled') k
      cross join lateral (select coalesce(sum((u->>'amount')::bigint), 0) + coalesce((
          select sum((s->>'amount')::bigint - (s->'changedTo'->>'amount')::bigint)
          from jsonb_array_elements(o.seats) s), 0) - coalesce((
          select sum(r.amount) from commerce.refund r where r.order_id = o.id and r.cause = 'refund_policy'
            and r.registration_ids = '{}' and r.state not in ('failed', 'withdrawn')), 0) as kept
        from jsonb_array_elements(o.cancelled_addons) u) a
      cross join lateral (select coalesce(sum(r.amount), 0) as refunded from commerce.refund r
        where r.state not in ('failed', 'withdrawn') and (r.settlement_id = o.settlement_id or exists (
          select from commerce.order_change c where c.settlement_id = r.settlement_id and c.paid_at is not null))
          and r.order_id = o.id) f
      where o.paid_at is not null and o.total_amount > 0 and o.event_cancelled_at is not null
        and f.refunded <> o.total_amount - k.kept - a.kept
        and not exists (select from commerce.refund r where r.order_id = o.id and r.cause = 'operator')`,
  },
  {
    title: 'a seat that was cancelled before its event is decided before the refund of the event',
    promise: 'I4',
    needs: 'commerce.cancelled_seat',
    sql: `select c.registration_id as id from commerce.cancelled_seat c
      join commerce.customer_order o on o.id = c.order_id
      where not c.ended_with_event and not coalesce(c.decided_at <= o.event_cancelled_at, o.event_cancelled_at is null)`,
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
