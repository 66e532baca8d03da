import type { Invariant } from './invariant.ts';

/** Invariants of changes of orders: what was quoted and executed has happened, once. */
export const changeInvariants: Invariant[] = [
  {
    title: 'what a change of an order has quoted is paid back or due, and no more',
    promise: 'I4',
    needs: 'commerce.order_change',
    // The policy also pays back seats that were cancelled without a change. An order that a restore
    // has ended lists no registrations.
    sql: `select c.order_id as id, c.quoted, d.decided, r.amount from (
        select order_id, sum((quote->>'refund')::bigint) as quoted from commerce.order_change
        where state in ('executing', 'done') group by 1) c
      join commerce.customer_order o on o.id = c.order_id
      cross join lateral (select coalesce(sum(s.refund_amount), 0) as decided from commerce.cancelled_seat s
        where s.order_id = o.id and not exists (
          select from commerce.order_line l cross join unnest(l.registration_ids) with ordinality x(id, n)
          where l.order_id = o.id and l.seat_count > 0 and x.id = s.registration_id
            and o.seats->(l.first_seat + x.n::int - 1) @> '{"isCancelled": true}')) d
      cross join lateral (select coalesce(sum(f.amount), 0) as amount from commerce.refund f
        where f.order_id = o.id and f.cause = 'refund_policy' and f.state not in ('failed', 'withdrawn')) r
      where r.amount <> c.quoted + d.decided and exists (
        select from commerce.order_line l where l.order_id = o.id and l.registration_ids <> '{}')`,
  },
  {
    title: 'the executed changes of an order have cancelled each of their seats and units, once',
    promise: 'I3',
    needs: 'commerce.order_change',
    sql: `select o.id, q.executed, k.cancelled, u.executed as executed_units, d.cancelled as cancelled_units
      from commerce.customer_order o
      cross join lateral (select coalesce(array_agg(x.id order by x.id), '{}') as executed
        from commerce.order_change c cross join jsonb_array_elements_text(c.request->'cancelSeats') x(id)
        where c.order_id = o.id and c.state in ('executing', 'done')) q
      cross join lateral (select coalesce(array_agg(x.id order by x.id), '{}') as cancelled from (
        select 'seat_' || substr(o.id, 5) || '_' || s.n as id
        from jsonb_array_elements(o.seats) with ordinality s(seat, n) where s.seat @> '{"isCancelled": true}') x) k
      cross join lateral (select coalesce(sum((x->>'quantity')::int), 0) as executed
        from commerce.order_change c cross join jsonb_array_elements(c.request->'cancelAddons') x
        where c.order_id = o.id and c.state in ('executing', 'done')) u
      cross join lateral (select coalesce(sum((x->>'quantity')::int), 0) as cancelled
        from jsonb_array_elements(o.cancelled_addons) x) d
      where q.executed <> k.cancelled or u.executed <> d.cancelled`,
  },
  {
    title: 'a seat that a change has cancelled has no holder',
    promise: 'I3',
    needs: ['commerce.order_change', 'registration.seat_reservation'],
    sql: `select o.id, x.id as holder from commerce.customer_order o join commerce.order_line l on l.order_id = o.id
      cross join lateral unnest(l.registration_ids) with ordinality x(id, n)
      where l.seat_count > 0 and o.seats->(l.first_seat + x.n::int - 1) @> '{"isCancelled": true}' and (
        exists (select from registration.registration r
          where r.order_id = o.id and (r.id = x.id or r.seat_id = x.id) and r.active_email is not null)
        or exists (select from registration.seat_reservation s where s.id = x.id and s.state = 'active'))
        and not exists (select from commerce.order_change c where c.order_id = o.id and c.state = 'executing')`,
  },
  {
    title: 'nobody has units of an add-on that a change has cancelled',
    promise: 'I3',
    needs: ['commerce.order_change', 'registration.registration_addon'],
    sql: `select o.id, h.addon_id, h.held, n.ordered, c.cancelled from commerce.customer_order o
      cross join lateral (select a.addon_id, sum(a.quantity) as held from registration.registration_addon a
        where a.order_id = o.id group by 1) h
      cross join lateral (select coalesce(sum(coalesce((e->>'quantity')::int, 1)), 0) as ordered
        from jsonb_array_elements(o.addons) e where e->>'addonId' = h.addon_id) n
      cross join lateral (select coalesce(sum((u->>'quantity')::int), 0) as cancelled
        from jsonb_array_elements(o.cancelled_addons) u where exists (
          select from jsonb_array_elements(o.addons) e
          where e->>'addonId' = h.addon_id and e->'line' = u->'line')) c
      where c.cancelled > 0 and h.held > n.ordered - c.cancelled
        and not exists (select from commerce.order_change x where x.order_id = o.id and x.state = 'executing')`,
  },
  {
    title: 'changes give the seats of an order no more than was paid for them',
    promise: 'I4',
    needs: 'commerce.order_change',
    sql: `select o.id, s.raised from commerce.customer_order o
      cross join lateral (select sum((x->'changedTo'->>'amount')::bigint - (x->>'amount')::bigint) as raised
        from jsonb_array_elements(o.seats) x where x->'changedTo' is not null) s
      cross join lateral (select coalesce(sum(p.amount), 0) as paid from commerce.order_change c
        join commerce.settlement p on p.id = c.settlement_id
        where c.order_id = o.id and c.paid_at is not null) p
      where s.raised > p.paid`,
  },
  {
    title: 'registration knows what is paid for each seat of an order',
    promise: 'I3',
    needs: ['commerce.order_change', 'registration.seat_reservation'],
    sql: `select o.id, x.id as holder, s->'amount' as amount from commerce.customer_order o
      join commerce.order_line l on l.order_id = o.id
      cross join lateral unnest(l.registration_ids) with ordinality x(id, n)
      cross join lateral (select o.seats->(l.first_seat + x.n::int - 1) as seat) p
      join registration.seat_reservation c on c.id = o.id
      cross join lateral jsonb_array_elements(c.fulfilment->'seats') s
      where o.status = 'paid' and l.seat_count > 0 and s->>'registrationId' = x.id and s @> '{"created": true}'
        and (s->'amount') <> coalesce(p.seat->'changedTo'->'amount', p.seat->'amount')
        and not exists (select from commerce.order_change m where m.order_id = o.id and m.state = 'moving')`,
  },
  {
    title: 'an open seat has the ticket type of its order',
    promise: 'I3',
    needs: ['commerce.order_change', 'registration.seat_reservation'],
    sql: `select s.id, s.ticket_type_id from registration.seat_reservation s
      join commerce.customer_order o on o.id = s.order_id
      cross join lateral (select o.seats->(substring(s.id from '[0-9]+$')::int - 1) as seat) p
      where s.state = 'active' and s.order_id is not null
        and s.ticket_type_id <> coalesce(p.seat->'changedTo'->>'ticketTypeId', p.seat->>'ticketTypeId')
        and not exists (select from commerce.order_change m where m.order_id = o.id and m.state = 'moving')`,
  },
];
