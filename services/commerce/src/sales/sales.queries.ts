import { orderLimits } from '@event-api/contracts/http/checkout';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { SalesRow, SalesTotal } from '@event-api/contracts/operator/sales';
import type { Db } from '@event-api/platform/db/database';
import { type Statement, statement } from '@event-api/platform/db/statement';

/** The days of a summary, from midnight of `from` to midnight of `to` in the time zone. */
export interface SalesPeriod {
  businessUnitId: string;
  /** All events of the business unit if it is omitted. */
  eventId?: string | undefined;
  from: string;
  to: string;
  timezone: string;
}

type Scope = 'event' | 'unit';

/**
 * The condition of each scope. The collations are those of `customer_order_paid`, `refund_done` and
 * `dispute_opened`, so that a plan of empty tables uses these indexes and no other one.
 */
const scopes: Record<Scope, (alias: string, event?: string) => string> = {
  event: (alias, event = '$5') =>
    `${alias}.business_unit_id collate "C" = $1 and ${alias}.event_id collate "C" = ${event}`,
  unit: (alias) => `${alias}.business_unit_id collate "C" = $1`,
};

const midnight = (day: string) => `(${day}::date::timestamp at time zone $4::text)`;
const inPeriod = (column: string) =>
  `${column} is not null and ${column} >= ${midnight('$2')} and ${column} < ${midnight('$3')}`;

/** 1 for an order whose seats exist, 0 for one that was cancelled or refunded after its payment. */
const existing = (alias: string) => `(${alias}.status = 'paid')::int`;

/**
 * The registrations of orders that were cancelled or rejected. `registration_projection_ended` has
 * only these rows. The alias is `p`.
 */
const isEnded = (event: string) =>
  `p.business_unit_id collate "C" = $1 and p.event_id collate "C" = ${event} and p.order_id is not null
     and p.status in ('cancelled', 'rejected')`;

/** The seat of an order `alias` that the registration `p` had; null if the order has none for it. */
const endedSeat = (alias: string) => `(
       select ${alias}.seats -> (l.first_seat + array_position(l.registration_ids, p.id) - 1)
       from commerce.order_line l
       where l.order_id = ${alias}.id and l.seat_count > 0 and p.id = any(l.registration_ids) limit 1)`;

/** Whether a dispute has taken money of an order, and what it counts as. */
const hasTaken = (alias: string) =>
  `${alias}.order_id is not null and (${alias}.status in ('needs_response', 'under_review', 'lost')) is true`;
const kindOf = (alias: string) =>
  `case when ${alias}.status = 'lost' then 'lost' else 'disputed' end`;

/** What changes that were paid have cost, by the new ticket types: in the form of an order without seats. */
const changesPaid = (
  scope: string,
) => `select null::text as id, x.event_id, x.quote->>'currency' as currency,
       (x.quote->>'amountToPay')::bigint as total_amount, (
         select jsonb_agg(jsonb_build_object('ticketTypeId', l->'ticketTypeId', 'amount', l->'amountToPay'))
         from jsonb_array_elements(x.quote->'lines') l) as seats,
       '{}'::text[] as cancelled_seat_ids, x.paid_at as at, 0 as existing
     from commerce.order_change x where ${scope}`;

/**
 * The orders that were paid in the period, the payments of their changes in it, the seats of them that
 * ended, and of paid orders the refunds that were done and the disputes that were opened in it, if they
 * have taken money. One of a settlement that paid for no order and no change finds none.
 * Seats are read by their order, and the order of a refund by its id: the limits keep PostgreSQL
 * from reading all rows for a join.
 */
const periodOf = (scope: Scope) => `sold as materialized (
     select o.id, o.event_id, o.currency, o.total_amount, o.seats, o.cancelled_seat_ids, o.paid_at as at, ${existing('o')} as existing
     from commerce.customer_order o where ${scopes[scope]('o')} and ${inPeriod('o.paid_at')}
     union all
     ${changesPaid(`${scopes[scope]('x')} and ${inPeriod('x.paid_at')}`)}
   ), ended as materialized (
     select o.currency, o.at, ${endedSeat('o')} as seat
     from sold o cross join lateral (
       select p.id from commerce.registration_projection p
       where ${isEnded('o.event_id')} and p.order_id = o.id limit ${orderLimits.seats}
     ) p where o.existing = 1
     union all
     select o.currency, o.at, o.seats -> (substring(x from '[0-9]+$')::int - 1)
     from sold o cross join unnest(o.cancelled_seat_ids) x where o.existing = 1
   ), returned as materialized (
     select 'refunded' as kind, r.currency, r.amount, r.done_at as at, r.order_id, r.settlement_id
     from commerce.refund r where ${scopes[scope]('r')} and ${inPeriod('r.done_at')}
     union all
     select ${kindOf('d')}, d.currency, d.amount, d.created_at, d.order_id, d.settlement_id
     from commerce.dispute d where ${scopes[scope]('d')} and ${inPeriod('d.created_at')} and ${hasTaken('d')}
   ), refunded as materialized (
     select r.kind, r.currency, r.amount, r.at, o.total_amount, o.seats
     from returned r cross join lateral (
       select o.total_amount, o.seats from commerce.customer_order o
       where o.id = r.order_id and (o.settlement_id = r.settlement_id) is true and o.paid_at is not null limit 1
     ) o
     union all
     select r.kind, r.currency, r.amount, r.at, x.total_amount, x.seats
     from returned r cross join lateral (
       ${changesPaid('x.settlement_id = r.settlement_id and (x.order_id = r.order_id) is true and (x.paid_at is not null) is true')} limit 1
     ) x
   )`;

const dayOf = (at: string) => `to_char(${at} at time zone $4::text, 'YYYY-MM-DD')`;

const sums = `sum(e.seats)::bigint as seats, sum(e.gross)::bigint as "grossAmount",
     sum(e.refunded)::bigint as "refundedAmount", sum(e.lost)::bigint as "lostAmount",
     sum(e.disputed)::bigint as "disputedAmount", sum(e.gross - e.refunded - e.lost)::bigint as "netAmount"`;
const isNotZero =
  'sum(e.seats) > 0 or sum(e.gross) > 0 or sum(e.refunded) > 0 or sum(e.lost) > 0 or sum(e.disputed) > 0';

const kinds = ['refunded', 'lost', 'disputed'];
/** The columns of an amount, one of which is not 0: that of the kind of `r`. */
const amounts = (amount: string) =>
  kinds.map((kind) => `case when r.kind = '${kind}' then ${amount} else 0 end`).join();
const noAmounts = kinds.map((kind) => `0::bigint as ${kind}`).join();

const byDay = (scope: Scope) => `with ${periodOf(scope)}, entry as (
     select ${dayOf('at')} as day, currency, jsonb_array_length(seats) * existing as seats, total_amount as gross, ${noAmounts} from sold
     union all
     select ${dayOf('at')}, currency, -1::int, 0::bigint, ${noAmounts} from ended where seat is not null
     union all
     select ${dayOf('at')}, currency, 0::int, 0::bigint, ${amounts('r.amount')} from refunded r
   )
   select e.day, e.currency, ${sums} from entry e group by 1, 2 having ${isNotZero} order by 1, 2`;

/**
 * The amount of an order by ticket type, and under null the rest of its total: add-ons and what
 * rounding leaves of a bundle. `upto` is the running sum.
 */
const partsOf = (alias: string) => `cross join lateral (
       select p.*, sum(p.amount) over (order by p.ticket_type_id nulls last) as upto from (
         select seat->>'ticketTypeId' as ticket_type_id, count(*)::int as seats, sum((seat->>'amount')::bigint) as amount
         from jsonb_array_elements(${alias}.seats) seat group by 1
         union all
         select null::text, 0::int, ${alias}.total_amount - coalesce((
           select sum((seat->>'amount')::bigint) from jsonb_array_elements(${alias}.seats) seat), 0)
       ) p
     ) p`;

/**
 * Each part of an order gets the difference of two running shares, so that the parts of a refund
 * add up to its amount, and those of a full refund are the parts of the order.
 */
const share =
  'div(r.amount * p.upto, r.total_amount) - div(r.amount * (p.upto - p.amount), r.total_amount)';

const byTicketType = (scope: Scope) => `with ${periodOf(scope)}, entry as (
     select p.ticket_type_id, o.currency, p.seats * o.existing as seats, p.amount as gross, ${noAmounts} from sold o ${partsOf('o')}
     union all
     select seat->>'ticketTypeId', currency, -1::int, 0::bigint, ${noAmounts} from ended where seat is not null
     union all
     select p.ticket_type_id, r.currency, 0::int, 0::bigint, ${amounts(share)} from refunded r ${partsOf('r')}
   )
   select e.ticket_type_id as "ticketTypeId", (
     select t.name from commerce.ticket_type_projection t where t.id = e.ticket_type_id and t.business_unit_id = $1
   ) as name, e.currency, ${sums}
   from entry e group by e.ticket_type_id, e.currency having ${isNotZero}
   order by e.ticket_type_id nulls last, e.currency`;

const statements: Record<'day' | 'ticketType', Record<Scope, Statement<SalesRow>>> = {
  day: {
    event: statement('sales_of_event_by_day', byDay('event')),
    unit: statement('sales_of_unit_by_day', byDay('unit')),
  },
  ticketType: {
    event: statement('sales_of_event_by_ticket_type', byTicketType('event')),
    unit: statement('sales_of_unit_by_ticket_type', byTicketType('unit')),
  },
};

// All sales of an event. A refund or a dispute that counts has a paid order, so its currency has a row in
// `sold`.
const ofEvent = statement<SalesTotal>(
  'sales_of_event',
  `with sold as (
     select o.currency, sum((jsonb_array_length(o.seats) - cardinality(o.cancelled_seat_ids)) * ${existing('o')}) as seats, sum(o.total_amount) as gross
     from commerce.customer_order o where ${scopes.event('o', '$2')} and o.paid_at is not null group by 1
   ), changed as (
     select x.currency, sum(x.total_amount) as gross
     from (${changesPaid(`${scopes.event('x', '$2')} and x.paid_at is not null`)}) x group by 1
   ), registration as materialized (
     select p.id, p.order_id from commerce.registration_projection p where ${isEnded('$2')}
   ), ended as materialized (
     select o.currency, count(${endedSeat('o')}) as seats from registration p cross join lateral (
       select o.id, o.seats, o.currency from commerce.customer_order o
       where o.id = p.order_id and (o.status = 'paid') is true and (o.paid_at is not null) is true limit 1
     ) o group by 1
   ), refunded as materialized (
     select u.currency, sum(u.amount) as amount from (
       select r.currency, r.amount from commerce.refund r
       where ${scopes.event('r', '$2')} and r.done_at is not null and exists (
         select from commerce.customer_order o
         where o.id = r.order_id and (o.settlement_id = r.settlement_id) is true and (o.paid_at is not null) is true)
       union all
       select r.currency, r.amount from commerce.order_change x cross join lateral (
         select r.currency, r.amount from commerce.refund r where r.order_id = x.order_id
           and (r.settlement_id = x.settlement_id) is true and (r.done_at is not null) is true limit 1000
       ) r where ${scopes.event('x', '$2')} and x.paid_at is not null
     ) u group by 1
   ), taken as materialized (
     select u.currency, sum(u.amount) filter (where u.status = 'lost') as lost,
       sum(u.amount) filter (where u.status <> 'lost') as disputed from (
       select d.currency, d.amount, d.status from commerce.dispute d
       where ${scopes.event('d', '$2')} and ${hasTaken('d')} and exists (
         select from commerce.customer_order o
         where o.id = d.order_id and (o.settlement_id = d.settlement_id) is true and (o.paid_at is not null) is true)
       union all
       select d.currency, d.amount, d.status from commerce.order_change x cross join lateral (
         select d.currency, d.amount, d.status from commerce.dispute d where d.order_id = x.order_id
           and (d.settlement_id = x.settlement_id) is true and ${hasTaken('d')} limit 1000
       ) d where ${scopes.event('x', '$2')} and x.paid_at is not null
     ) u group by 1
   )
   select s.currency, (s.seats - coalesce(e.seats, 0))::bigint as seats, (s.gross + coalesce(c.gross, 0))::bigint as "grossAmount",
     coalesce(r.amount, 0)::bigint as "refundedAmount",
     coalesce(t.lost, 0)::bigint as "lostAmount", coalesce(t.disputed, 0)::bigint as "disputedAmount",
     (s.gross + coalesce(c.gross, 0) - coalesce(r.amount, 0) - coalesce(t.lost, 0))::bigint as "netAmount"
   from sold s left join changed c on c.currency = s.currency left join ended e on e.currency = s.currency left join refunded r on r.currency = s.currency
     left join taken t on t.currency = s.currency
   order by 1`,
);

/**
 * The sums of all sales of an event, one row per currency. They are those of a period with all of
 * its days.
 */
export const readEventSales = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<SalesTotal[]> => db.query(ofEvent, [businessUnitId, eventId]);

/** The sums of a period, one row per day or ticket type and currency. */
export function readSales(
  db: Db,
  by: 'day' | 'ticketType',
  { businessUnitId, eventId, from, to, timezone }: SalesPeriod,
): Promise<SalesRow[]> {
  const values = [businessUnitId, from, to, timezone];
  if (eventId === undefined) return db.query(statements[by].unit, values);
  return db.query(statements[by].event, [...values, eventId]);
}
