import type { Invariant } from './invariant.ts';
import { orphansOf } from './orphans.ts';

/** Invariants of orders and of their registrations. */
export const orderInvariants: Invariant[] = [
  {
    title: 'each order is fulfilled at most once',
    promise: 'I3',
    needs: 'registration.seat_reservation',
    // A second fulfilment would create registrations that the result of the first does not list.
    sql: `select r.order_id, r.id from registration.registration r
      left join registration.seat_reservation c on c.id = r.order_id
      where r.order_id is not null and not coalesce(c.fulfilment->'seats' @> jsonb_build_array(
        jsonb_build_object('registrationId', r.id)), false)`,
  },
  {
    title: 'each created registration belongs to an order that lists it',
    promise: 'I3',
    needs: 'registration.registration_order',
    // A revoked order hands a registration over only to an order that listed it beside the first
    // one.
    sql: `select c.id, r.id as registration from registration.seat_reservation c
      cross join jsonb_array_elements(c.fulfilment->'seats') s
      join registration.registration r on r.id = s->>'registrationId'
      where c.order_id is null and (s->>'created')::boolean and r.order_id is distinct from c.id and not exists (
        select from registration.seat_reservation other where other.id = r.order_id
          and other.fulfilment->'seats' @> jsonb_build_array(
            jsonb_build_object('registrationId', r.id, 'created', false)))`,
  },
  {
    title: 'each seat of a paid order is assigned or open',
    promise: 'I3',
    needs: 'commerce.order_line',
    sql: `select o.id, l.position from commerce.customer_order o
      join commerce.order_line l on l.order_id = o.id
      where o.status = 'paid' and (
        (cardinality(l.registration_ids) <> greatest(l.seat_count, jsonb_array_length(l.attendees), 1)
          and (l.seat_count > 0 or l.unfulfilled_amount = 0)) or exists (
        select from unnest(l.registration_ids) x(id)
        where not exists (select from registration.registration r where r.id = x.id)
          and not exists (select from registration.seat_reservation s where s.id = x.id and s.order_id = o.id
            and (s.state = 'active' or x.id = any(o.cancelled_seat_ids)))))`,
  },
  {
    title: 'a paid order has its add-ons',
    promise: 'I3',
    needs: 'commerce.customer_order',
    // A seat that is paid back with its add-ons loses them when it is revoked again after a restore.
    sql: `select o.id from commerce.customer_order o join registration.seat_reservation c on c.id = o.id
      where o.status = 'paid' and o.event_cancelled_at is null and exists (select from unnest(o.addon_ids) x(id) where not exists (
        select from registration.registration_addon a where a.order_id = o.id and a.addon_id = x.id
          and (a.registration_id = c.fulfilment->>'addonRegistrationId' or exists (
            select from jsonb_array_elements(c.fulfilment->'addonRegistrationIds') e where e ? a.registration_id)))
          and not exists (select from registration.seat_reservation s
            join registration.seat_reservation_item i on i.reservation_id = s.id and i.ticket_type_id = x.id
            where s.order_id = o.id and s.state = 'active'))
        and not exists (select from commerce.order_line l
          where l.order_id = o.id and l.seat_count = 0 and l.unfulfilled_amount > 0)
        and o.cancelled_addons = '[]' and not o.seats @> '[{"isCancelled": true}]'
        and (c.fulfilment->>'addonRegistrationId' = any(o.cancelled_seat_ids)) is not true
        and not exists (select from commerce.refund f where f.order_id = o.id and f.revokes_seats and f.state = 'done'
          and (c.fulfilment->>'addonRegistrationId' = any(f.registration_ids) or exists (
            select from jsonb_array_elements(c.fulfilment->'addonRegistrationIds') e where e ?| f.registration_ids)))`,
  },
  {
    title: 'orders are paid exactly when their reservation is fulfilled',
    promise: 'I3',
    needs: 'commerce.customer_order',
    sql: `select o.id, o.status, c.state from commerce.customer_order o
      left join registration.seat_reservation c on c.id = o.id
      where (o.status = 'paid' and c.state is distinct from 'fulfilled')
        or (c.state = 'fulfilled' and o.status not in ('paid', 'refund_due', 'refunded')
          and not (o.status = 'cancelled' and o.total_amount = 0 and o.revoked_at is not null))`,
  },
  {
    title: 'a closed order has no active registrations',
    promise: 'I3',
    needs: 'commerce.customer_order',
    sql: `select o.id, o.status from commerce.customer_order o
      join registration.registration r on r.order_id = o.id
      where r.status in ('pending', 'confirmed', 'waitlisted')
        and (o.status in ('cancelled', 'expired')
          or (o.status = 'refunded' and o.revoked_at is not null)
          or (o.status = 'refund_due' and not exists (select from registration.seat_reservation c
            where c.id = o.id and c.state = 'fulfilled')))
        and not exists (select from commerce.refund f where f.order_id = o.id and o.status = 'refunded'
          and f.state = 'done' and not f.revokes_seats and r.id = any(f.registration_ids))`,
  },
  {
    title: 'no order keeps a registration whose price it refunded',
    promise: 'I4',
    needs: 'commerce.order_line',
    sql: `select o.id, r.id as registration from commerce.customer_order o join commerce.order_line l on l.order_id = o.id
      join registration.registration r on r.order_id = o.id and r.id = any(l.unfulfilled_registration_ids)
      where r.active_email is not null and not exists (select from commerce.refund f
        where f.order_id = o.id and f.cause = 'attendee_registered' and f.state in ('due', 'pending'))`,
  },
  {
    title: 'active reservations belong to open orders',
    promise: 'I2',
    needs: 'commerce.customer_order',
    sql: `select c.id, o.status from registration.seat_reservation c
      left join commerce.customer_order o on o.id = c.id
      where c.state = 'active' and c.registration_id is null and c.expires_at > now()
        and (o.id is null or o.status not in ('held', 'awaiting_payment'))
        and not exists (select from commerce.order_change x where x.id = c.id)`,
  },
  {
    title: 'the total of an order is the sum of its lines',
    promise: 'I4',
    needs: 'commerce.order_line',
    sql: `select o.id from commerce.customer_order o join commerce.order_line l on l.order_id = o.id
      group by o.id, o.total_amount
      having o.total_amount <> sum(l.total_amount)
        or bool_or(not o.is_reverse_charge and l.total_amount <> l.quantity * l.unit_amount - l.discount_amount + (
          select coalesce(sum((t->>'taxAmount')::bigint), 0) from jsonb_array_elements(l.taxes) t
          where t->'rate'->>'mode' = 'exclusive'))
        or bool_or(o.is_reverse_charge and (l.tax_amount <> 0 or l.total_amount > l.quantity * l.unit_amount - l.discount_amount))`,
  },
  {
    title: 'the tax of an order is in its lines, in its payment, and in refunds of all of it',
    promise: 'I4',
    needs: ['commerce.order_line', 'commerce.settlement'],
    sql: `select o.id, 'lines' as differs from commerce.customer_order o join commerce.order_line l on l.order_id = o.id
      group by o.id, o.tax_amount
      having o.tax_amount <> sum(l.tax_amount) or bool_or(l.tax_amount <> (
        select coalesce(sum((t->>'taxAmount')::bigint), 0) from jsonb_array_elements(l.taxes) t))
      union all select s.id, 'payment' from commerce.settlement s
      join commerce.customer_order o on o.settlement_id = s.id where s.tax_amount <> o.tax_amount
      union all select s.id, 'refunds' from commerce.settlement s
      join commerce.refund f on f.settlement_id = s.id and f.state = 'done'
      group by s.id, s.amount, s.tax_amount
      having sum(f.tax_amount) > s.tax_amount or bool_or(f.tax_amount > f.amount)
        or (sum(f.amount) = s.amount and sum(f.tax_amount) <> s.tax_amount)`,
  },
  {
    title: 'open seats belong to paid orders that list them',
    promise: 'I2',
    needs: 'commerce.customer_order',
    sql: `select s.id, o.status from registration.seat_reservation s
      left join commerce.customer_order o on o.id = s.order_id
      where s.order_id is not null and s.state = 'active' and (o.status is distinct from 'paid' or not exists (
        select from commerce.order_line l where l.order_id = o.id and s.id = any(l.registration_ids)))`,
  },
  {
    title: 'each assigned seat is in the place of its order',
    promise: 'I3',
    needs: 'commerce.order_line',
    sql: `select r.seat_id, r.id from registration.registration r
      left join registration.seat_reservation s on s.id = r.seat_id
      where r.seat_id is not null and (s.state is distinct from 'fulfilled'
        or s.fulfilment->'seats'->0->>'registrationId' is distinct from r.id
        or exists (select from commerce.order_line l
          where l.order_id = s.order_id and r.seat_id = any(l.registration_ids)))`,
  },
  {
    title: 'the journal equals the payments, refunds and disputes',
    promise: 'I4',
    needs: ['commerce.journal_entry', 'commerce.dispute'],
    sql: `with moves as (
        select s.id, 'provider' as account, s.amount from commerce.settlement s
        where s.order_id is not null and s.state in ('accepted', 'mismatch', 'surplus', 'late')
        union all select s.id, 'sales', s.tax_amount - s.amount from commerce.settlement s
        where s.order_id is not null and s.state in ('accepted', 'mismatch', 'surplus', 'late')
        union all select id, 'tax', -tax_amount from commerce.settlement where order_id is not null
        union all select id, 'fee', fee_amount from commerce.settlement where order_id is not null
        union all select id, 'provider', -fee_amount from commerce.settlement where order_id is not null
        union all select id, 'fee', -fee_amount from commerce.refund
        union all select id, 'provider', fee_amount from commerce.refund
        union all select id, 'sales', amount - tax_amount from commerce.refund where state in ('due', 'pending', 'done')
        union all select id, 'tax', tax_amount from commerce.refund where state in ('due', 'pending', 'done')
        union all select id, 'refunds_due', -amount from commerce.refund where state in ('due', 'pending')
        union all select id, 'provider', -amount from commerce.refund where state = 'done'
        union all select provider_dispute_id, 'dispute', amount from commerce.dispute
        where order_id is not null and status in ('needs_response', 'under_review', 'lost')
        union all select provider_dispute_id, 'provider', -amount from commerce.dispute
        where order_id is not null and status in ('needs_response', 'under_review', 'lost')
      ), posted as (
        select cause_id as id, debit as account, amount from commerce.journal_entry
        union all select cause_id, credit, -amount from commerce.journal_entry
      )
      select coalesce(m.id, p.id) as id, coalesce(m.account, p.account) as account, m.amount, p.amount as posted
      from (select id, account, sum(amount) as amount from moves group by 1, 2 having sum(amount) <> 0) m
      full join (select id, account, sum(amount) as amount from posted group by 1, 2 having sum(amount) <> 0) p
        on p.id = m.id and p.account = m.account
      where m.amount is distinct from p.amount`,
  },
  {
    title: 'refunds of a whole payment return the whole fee of the platform, and no refund more',
    promise: 'I4',
    needs: ['commerce.settlement', 'commerce.refund'],
    sql: `select s.id, s.fee_amount, sum(f.fee_amount) as returned from commerce.settlement s
      join commerce.refund f on f.settlement_id = s.id and f.state = 'done'
      group by s.id, s.amount, s.fee_amount
      having sum(f.fee_amount) > s.fee_amount or (sum(f.amount) = s.amount and sum(f.fee_amount) <> s.fee_amount)`,
  },
  {
    title: 'digests count the entries of closed days',
    promise: 'I4',
    needs: ['commerce.journal_entry', 'commerce.journal_digest', 'commerce.journal_day'],
    sql: `with posted as (
        select business_unit_id, currency, to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as entries
        from commerce.journal_entry group by 1, 2, 3)
      select business_unit_id as id, currency, day, p.entries, d.entries as digested
      from posted p full join commerce.journal_digest d using (business_unit_id, currency, day)
      where p.entries is distinct from d.entries and (d.entries is not null
        or day <= (select max(c.day) from commerce.journal_day c))`,
  },
  {
    title: 'a cancelled event has nothing active, and nothing to pay back is left',
    promise: 'I3',
    // What the provider has refused is left to an operator.
    needs: ['catalog.event', 'commerce.event_cancellation'],
    sql: `with ended as (select id, cancellation_refund as refund from catalog.event where cancelled_at is not null)
      select r.id, r.status from registration.registration r join ended e on e.id = r.event_id
        where r.status in ('pending', 'confirmed', 'waitlisted')
      union all select c.id, c.state from registration.seat_reservation c join ended e on e.id = c.event_id
        where c.state in ('active', 'taken')
      union all select o.id, o.status from commerce.customer_order o join ended e on e.id = o.event_id
        where o.status in ('held', 'awaiting_payment') or (o.status = 'paid' and o.event_cancelled_at is null)
      union all select f.id, f.state from commerce.refund f join ended e on e.id = f.event_id
        where e.refund <> 'none' and (f.state = 'pending' or (f.state = 'due' and f.failure is null))
      union all select e.id, 'unfinished' from ended e left join commerce.event_cancellation c on c.event_id = e.id
        where c.finished_at is null`,
  },
  {
    title: 'references of commerce are complete',
    promise: 'I8',
    needs: 'commerce.customer_order',
    sql: orphansOf([
      ['a line', 'commerce.order_line', 'order_id', 'commerce.customer_order', 'id'],
      ['a payment', 'commerce.payment', 'order_id', 'commerce.customer_order', 'id'],
      ['a declined card', 'commerce.payment_decline', 'payment_id', 'commerce.payment', 'id'],
      ['a refund', 'commerce.refund', 'order_id', 'commerce.customer_order', 'id'],
      ['a refund', 'commerce.refund', 'settlement_id', 'commerce.settlement', 'id'],
      [
        'a reported refund',
        'commerce.provider_refund',
        'settlement_id',
        'commerce.settlement',
        'id',
      ],
      ['a cancelled seat', 'commerce.cancelled_seat', 'order_id', 'commerce.customer_order', 'id'],
      ['a change', 'commerce.order_change', 'order_id', 'commerce.customer_order', 'id'],
      ['a claim link', 'commerce.claim_link', 'order_id', 'commerce.customer_order', 'id'],
      ['a settlement', 'commerce.settlement', 'order_id', 'commerce.customer_order', 'id'],
      ['a registration', 'registration.registration', 'order_id', 'commerce.customer_order', 'id'],
      ['a listing', 'registration.registration_order', 'order_id', 'commerce.customer_order', 'id'],
      ['no line', 'commerce.customer_order', 'id', 'commerce.order_line', 'order_id'],
    ]),
  },
];
