import type { Invariant } from './invariant.ts';
import { orphansOf } from './orphans.ts';

const own = 'registration';
const active = `('pending', 'confirmed', 'waitlisted')`;

/** Invariants of seats, registrations and redemption codes. */
export const seatInvariants: Invariant[] = [
  {
    title: 'no ticket type is oversold',
    promise: 'I1',
    needs: 'registration.seat_ledger',
    sql: `select l.ticket_type_id from registration.seat_ledger l
      join registration.ticket_type_projection t on t.id = l.ticket_type_id
      where t.capacity is not null and l.confirmed + l.reserved > t.capacity`,
  },
  {
    title: 'the seat ledger equals the registrations',
    promise: 'I2',
    needs: 'registration.seat_ledger',
    sql: `select l.ticket_type_id, l.confirmed, r.confirmed as rows from registration.seat_ledger l
      join registration.ticket_type_projection t on t.id = l.ticket_type_id
      left join (select ticket_type_id, count(*) filter (where status = 'confirmed') as confirmed,
          count(*) filter (where status = 'waitlisted') as waitlisted
        from registration.registration group by 1) r on r.ticket_type_id = l.ticket_type_id
      where (l.confirmed, l.waitlisted) is distinct from (coalesce(r.confirmed, 0), coalesce(r.waitlisted, 0))`,
  },
  {
    title: 'no capacity group is oversold',
    promise: 'I1',
    needs: 'registration.seat_ledger',
    sql: `select g.id from registration.event_projection e
      cross join jsonb_to_recordset(e.capacity_groups) as g(id text, capacity int)
      join registration.ticket_type_projection t on t.event_id = e.id and t.capacity_group_id = g.id
      join registration.seat_ledger l on l.ticket_type_id = t.id
      group by g.id, g.capacity having sum(l.confirmed + l.reserved) > g.capacity`,
  },
  {
    title: 'no add-on is oversold',
    promise: 'I1',
    needs: 'registration.seat_ledger',
    sql: `select l.ticket_type_id from registration.seat_ledger l
      join registration.addon_projection a on a.id = l.ticket_type_id
      where a.capacity is not null and l.confirmed + l.reserved > a.capacity`,
  },
  {
    title: 'the ledger counts the units of add-ons',
    promise: 'I2',
    needs: 'registration.seat_ledger',
    sql: `select l.ticket_type_id, l.confirmed from registration.seat_ledger l
      join registration.addon_projection a on a.id = l.ticket_type_id
      where l.confirmed <> (select coalesce(sum(d.quantity), 0) from registration.registration_addon d
        join registration.registration r on r.id = d.registration_id
        where d.addon_id = a.id and r.status in ${active})`,
  },
  {
    title: 'reserved seats equal the active reservations',
    promise: 'I2',
    needs: 'registration.seat_reservation',
    sql: `select l.ticket_type_id, l.reserved from registration.seat_ledger l
      where l.reserved <> (select coalesce(sum(s.quantity), 0) from registration.seat_reservation c
        join registration.seat_reservation_item s on s.reservation_id = c.id
        where c.state = 'active' and s.ticket_type_id = l.ticket_type_id)`,
  },
  {
    title: 'every open offer belongs to one waitlisted registration',
    promise: 'I2',
    needs: 'registration.seat_reservation',
    sql: `select coalesce(r.id, o.id) from (
        select * from registration.registration where offer_id is not null) r
      full join (select * from registration.seat_reservation
        where registration_id is not null and state in ('active', 'taken')) o
        on o.registration_id = r.id and o.id = r.offer_id
      where r.id is null or o.id is null or r.status <> 'waitlisted'`,
  },
  {
    title: 'every offer that has ended was taken, has expired or was withdrawn',
    promise: 'I2',
    needs: 'registration.seat_reservation',
    sql: `select o.id, o.state, r.status from registration.seat_reservation o
      join registration.registration r on r.id = o.registration_id
      where (o.state in ('fulfilled', 'released') and r.status not in ('confirmed', 'cancelled'))
        or (o.state = 'expired' and r.offers_missed = 0)`,
  },
  {
    title: 'an offer is fulfilled by an order that was fulfilled',
    promise: 'I2',
    needs: 'registration.seat_reservation',
    sql: `select o.id, c.state from registration.seat_reservation o
      left join registration.seat_reservation c on c.id = o.taken_by
      where o.registration_id is not null and o.state = 'fulfilled' and o.taken_by is not null
        and c.state is distinct from 'fulfilled'`,
  },
  {
    title: 'uses of a code equal its active registrations and reservations',
    promise: 'I2',
    needs: 'registration.redemption_code',
    sql: `select c.id, c.uses from registration.redemption_code c
      where c.uses <> (select count(*) from registration.registration r
          where r.redemption_code_id = c.id and r.status in ${active})
        + (select coalesce(sum(s.code_uses), 0) from registration.seat_reservation s
          where s.redemption_code_id = c.id and s.state = 'active')
        or c.uses > c.max_uses`,
  },
  {
    title: 'no counter is negative',
    promise: 'I8',
    needs: 'registration.seat_ledger',
    sql: `select ticket_type_id from registration.seat_ledger where least(confirmed, waitlisted, reserved) < 0
      union all select id from registration.redemption_code where uses < 0`,
  },
  {
    title: 'no email has two active registrations in one event',
    promise: 'I2',
    needs: 'registration.registration',
    sql: `select event_id, normal_email from registration.registration
      where status in ${active} group by 1, 2 having count(*) > 1`,
  },
  {
    title: 'every registration belongs to the business unit of its event',
    promise: 'I9',
    needs: 'registration.registration',
    sql: `select r.id from registration.registration r
      left join registration.event_projection e on e.id = r.event_id
      where e.business_unit_id is distinct from r.business_unit_id`,
  },
  {
    title: 'each seat of a fulfilled reservation is assigned or open',
    promise: 'I3',
    needs: 'registration.seat_reservation',
    sql: `select c.id from registration.seat_reservation c, jsonb_array_elements(c.fulfilment->'seats') s
      where c.state = 'fulfilled'
        and not exists (select from registration.registration r where r.id = s->>'registrationId')
        and not exists (select from registration.seat_reservation o where o.id = s->>'registrationId'
          and o.order_id = c.id and o.state <> 'fulfilled')`,
  },
  {
    title: 'references of registration are complete',
    promise: 'I8',
    needs: 'registration.seat_reservation_item',
    sql: orphansOf([
      ['seats', `${own}.seat_reservation_item`, 'reservation_id', `${own}.seat_reservation`, 'id'],
      ['an add-on', `${own}.registration_addon`, 'registration_id', `${own}.registration`, 'id'],
      ['a listing', `${own}.registration_order`, 'registration_id', `${own}.registration`, 'id'],
      ['a perk', `${own}.perk_grant`, 'registration_id', `${own}.registration`, 'id'],
      ['no attendee', `${own}.registration`, 'attendee_id', `${own}.attendee`, 'id'],
      ['no code', `${own}.registration`, 'redemption_code_id', `${own}.redemption_code`, 'id'],
    ]),
  },
];
