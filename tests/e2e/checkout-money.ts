import { expect } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';

/** Expects that orders, reservations and registrations are consistent and all money is accounted for. */
export async function expectConsistentCheckout(bus: BusFixture): Promise<void> {
  expect(await checkoutFaults(bus)).toEqual([]);
  for (const { received, accounted } of await moneyOf(bus)) expect(accounted).toBe(received);
}

/**
 * Returns the money received and the money accounted for in the whole platform, by currency. Both
 * must be equal.
 */
async function moneyOf({ database }: BusFixture) {
  return database.sql<{ currency: string; received: string; accounted: string }>(
    `with money as (
       select currency, amount as received, 0 as accounted from commerce.settlement
         where state not in ('received', 'unusable')
       union all
       select currency, 0, amount from commerce.settlement where state = 'unmatched'
       union all
       select o.currency, 0, o.total_amount - coalesce((select sum(r.amount) from commerce.refund r
         where r.settlement_id = o.settlement_id and r.state <> 'failed'), 0)
       from commerce.customer_order o where o.status = 'paid' and o.settlement_id is not null
       union all
       select currency, 0, amount from commerce.refund where state <> 'failed'
     )
     select currency, sum(received)::text as received, sum(accounted)::text as accounted from money group by 1 order by 1`,
  );
}

/**
 * Returns one row for each inconsistency between orders, reservations, registrations and payments.
 * There must be none.
 */
export async function checkoutFaults({ database }: BusFixture) {
  return database.sql<{ fault: string; id: string }>(
    `select 'paid without its registrations' as fault, o.id from commerce.customer_order o
       where o.status = 'paid' and exists (
         select from commerce.order_line l where l.order_id = o.id
           and cardinality(l.registration_ids) <> greatest(l.seat_count, 1))
     union all
     select 'paid, and the claim is not fulfilled', o.id from commerce.customer_order o
       left join registration.seat_claim c on c.id = o.id
       where o.status = 'paid' and c.state is distinct from 'fulfilled'
     union all
     select 'closed, and its registrations live', o.id from commerce.customer_order o
       join registration.registration r on r.order_id = o.id
       where (o.status in ('cancelled', 'expired', 'refund_due') or (o.status = 'refunded' and o.revoked_at is not null))
         and r.status in ('pending', 'confirmed', 'waitlisted')
     union all
     select 'more given back than was received', s.id from commerce.settlement s
       where s.amount < (select coalesce(sum(r.amount), 0) from commerce.refund r
         where r.settlement_id = s.id and r.state <> 'failed')
     union all
     select 'oversold', l.ticket_type_id from registration.seat_ledger l
       join registration.ticket_type_copy t on t.id = l.ticket_type_id where l.confirmed + l.held > t.capacity
     union all
     select 'the ledger is not what its rows are', l.ticket_type_id from registration.seat_ledger l
       where l.confirmed <> (select count(*) from registration.registration r
           where r.ticket_type_id = l.ticket_type_id and r.status = 'confirmed')
         or l.held <> (select coalesce(sum(s.quantity), 0) from registration.seat_claim_seats s
           join registration.seat_claim c on c.id = s.claim_id
           where s.ticket_type_id = l.ticket_type_id and c.state = 'held')
     union all
     select 'money without an order or a refund', currency from (
       select s.currency, sum(s.amount) as amount from commerce.settlement s
       where s.state in ('late', 'mismatch', 'surplus') group by 1) x
       where amount > (select coalesce(sum(r.amount), 0) from commerce.refund r where r.currency = x.currency)`,
  );
}
