/** Runs any SQL; all that the checker needs to know of a database. */
export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

const active = `status in ('pending', 'confirmed', 'waitlisted')`;

/** Invariants of all events at any time, each as a query for the rows that violate it. */
const invariants: Record<string, string> = {
  'no type is oversold': `
    select l.ticket_type_id from registration.seat_ledger l
    join registration.ticket_type_projection t on t.id = l.ticket_type_id
    where t.capacity is not null and l.confirmed + l.reserved > t.capacity and t.id <> all($1)`,

  'no capacity group is oversold': `
    select g.id from registration.event_projection e
    cross join jsonb_to_recordset(e.capacity_groups) as g(id text, capacity int)
    join registration.ticket_type_projection t on t.event_id = e.id and t.capacity_group_id = g.id
    join registration.seat_ledger l on l.ticket_type_id = t.id
    where g.id <> all($1)
    group by g.id, g.capacity having sum(l.confirmed + l.reserved) > g.capacity`,

  'no add-on is oversold': `
    select l.ticket_type_id from registration.seat_ledger l
    join registration.addon_projection a on a.id = l.ticket_type_id
    where a.capacity is not null and l.confirmed + l.reserved > a.capacity and a.id <> all($1)`,

  'the ledger counts the units of add-ons': `
    select a.id, l.confirmed, d.units, l.reserved, s.reserved as counted from registration.addon_projection a
    left join registration.seat_ledger l on l.ticket_type_id = a.id
    left join (
      select d.addon_id, sum(d.quantity) as units from registration.registration_addon d
      join registration.registration r on r.id = d.registration_id where r.${active} group by 1
    ) d on d.addon_id = a.id
    left join (
      select s.ticket_type_id, sum(s.quantity) as reserved from registration.seat_reservation c
      join registration.seat_reservation_item s on s.reservation_id = c.id where c.state = 'active' group by 1
    ) s on s.ticket_type_id = a.id
    where (coalesce(l.confirmed, 0), coalesce(l.reserved, 0)) is distinct from
      (coalesce(d.units, 0), coalesce(s.reserved, 0))`,

  'no number is negative': `
    select ticket_type_id from registration.seat_ledger where least(confirmed, waitlisted, reserved) < 0
    union all select id from registration.redemption_code where uses < 0
    union all select id from registration.seat_reservation where code_uses < 0`,

  'the ledger counts the registrations': `
    select t.id, l.confirmed, r.confirmed as confirmed_rows, l.waitlisted, r.waitlisted as waitlisted_rows
    from registration.ticket_type_projection t
    left join registration.seat_ledger l on l.ticket_type_id = t.id
    left join (
      select ticket_type_id, count(*) filter (where status = 'confirmed') as confirmed,
        count(*) filter (where status = 'waitlisted') as waitlisted
      from registration.registration group by 1
    ) r on r.ticket_type_id = t.id
    where (coalesce(l.confirmed, 0), coalesce(l.waitlisted, 0)) is distinct from
      (coalesce(r.confirmed, 0), coalesce(r.waitlisted, 0))`,

  'the ledger counts the seats of active reservations': `
    select t.id, l.reserved, s.reserved as counted from registration.ticket_type_projection t
    left join registration.seat_ledger l on l.ticket_type_id = t.id
    left join (
      select s.ticket_type_id, sum(s.quantity) as reserved from registration.seat_reservation c
      join registration.seat_reservation_item s on s.reservation_id = c.id where c.state = 'active' group by 1
    ) s on s.ticket_type_id = t.id
    where coalesce(l.reserved, 0) <> coalesce(s.reserved, 0)`,

  'a code counts its active registrations and reservations': `
    select c.id, c.uses from registration.redemption_code c
    where c.uses <>
      (select count(*) from registration.registration r where r.redemption_code_id = c.id and r.${active})
      + (select coalesce(sum(code_uses), 0) from registration.seat_reservation s
         where s.redemption_code_id = c.id and s.state = 'active')`,

  'no code is used more often than its limit': `
    select id from registration.redemption_code where max_uses is not null and uses > max_uses`,

  'a replaced badge code is the present code of no registration': `
    select b.checkin_code from registration.replaced_badge b
    where not exists (select from registration.registration r where r.id = b.registration_id)
      or exists (select from registration.registration r where r.checkin_code = b.checkin_code)`,

  'no email is active twice in an event': `
    select event_id, normal_email from registration.registration where ${active} group by 1, 2 having count(*) > 1`,

  // Seats of orders are excluded: they were reserved before the others were waitlisted. Types with
  // a price are, too: their plain registrations are confirmed while the waitlist has offers.
  'no registration overtakes the waitlist': `
    select w.id from registration.registration w
    join registration.registration late on late.ticket_type_id = w.ticket_type_id and late.insertion_order > coalesce(w.waitlist_order, w.insertion_order)
    join registration.ticket_type_projection t on t.id = w.ticket_type_id
    where w.status = 'waitlisted' and late.status = 'confirmed' and late.order_id is null
      and not t.requires_approval and t.price_amount = 0`,

  'the ledger counts the offers, and each waitlisted registration has at most one': `
    select l.ticket_type_id from registration.seat_ledger l
    where l.offered <> (select count(*) from registration.registration r
      where r.ticket_type_id = l.ticket_type_id and r.offer_id is not null)
    union all
    select coalesce(r.id, o.id) from (
      select * from registration.registration where offer_id is not null) r
    full join (
      select * from registration.seat_reservation where registration_id is not null and state in ('active', 'taken')) o
      on o.registration_id = r.id and o.id = r.offer_id
    where r.id is null or o.id is null or r.status <> 'waitlisted'
      or r.offer_expires_at is distinct from o.expires_at`,

  'a taken offer belongs to an active reservation': `
    select o.id from registration.seat_reservation o
    left join registration.seat_reservation c on c.id = o.taken_by
    where o.state = 'taken' and c.state is distinct from 'active'`,

  'every offer that has ended was taken, has expired or was withdrawn': `
    select o.id from registration.seat_reservation o
    join registration.registration r on r.id = o.registration_id
    where (o.state = 'fulfilled' and r.status not in ('confirmed', 'cancelled'))
      or (o.state = 'expired' and r.offers_missed = 0)
      or (o.state = 'released' and r.status not in ('confirmed', 'cancelled'))`,

  // An open seat that was revoked stays in the fulfilment of its order.
  'a seat of a fulfilled reservation is assigned or open, and never both': `
    select id from registration.seat_reservation
    where state = 'fulfilled' and fulfilment is null and registration_id is null
    union all
    select c.id from registration.seat_reservation c, jsonb_array_elements(c.fulfilment->'seats') s
    where c.state = 'fulfilled' and 1 <> (
      (select count(*) from registration.registration r where r.id = s->>'registrationId')
      + (select count(*) from registration.seat_reservation o
         where o.id = s->>'registrationId' and o.order_id = c.id and o.state in ('active', 'released')))
    union all
    select o.id from registration.seat_reservation o
    join registration.seat_reservation c on c.id = o.order_id
    where (o.state <> 'fulfilled') <> (c.fulfilment->'seats' @> jsonb_build_array(jsonb_build_object('registrationId', o.id)))`,

  'a seat is assigned once': `
    select seat_id from registration.registration where seat_id is not null group by 1 having count(*) > 1
    union all
    select r.seat_id from registration.registration r
    left join registration.seat_reservation o on o.id = r.seat_id and o.order_id is not null
    where r.seat_id is not null
      and (o.state is distinct from 'fulfilled' or o.fulfilment->'seats'->0->>'registrationId' is distinct from r.id)`,

  'an order has registrations only when it is fulfilled': `
    select r.id from registration.registration r
    where r.order_id is not null and not exists (
      select from registration.seat_reservation c where c.id = r.order_id and c.state = 'fulfilled')`,

  "every row belongs to its event's unit": `
    select x.id from (
      select id, event_id, business_unit_id from registration.registration
      union all select id, event_id, business_unit_id from registration.attendee
      union all select event_id, event_id, business_unit_id from registration.event_lock
      union all select ticket_type_id, event_id, business_unit_id from registration.seat_ledger
      union all select id, event_id, business_unit_id from registration.seat_reservation
      union all select id, event_id, business_unit_id from registration.redemption_code
      union all select registration_id, event_id, business_unit_id from registration.replaced_badge
    ) x left join registration.event_projection e on e.id = x.event_id
    where e.business_unit_id is distinct from x.business_unit_id`,

  'every registration belongs to an attendee of its event and to a type of its event': `
    select r.id from registration.registration r
    left join registration.attendee a on a.id = r.attendee_id
    left join registration.ticket_type_projection t on t.id = r.ticket_type_id
    where (a.event_id, a.normal_email, a.contact_id) is distinct from (r.event_id, r.normal_email, r.contact_id)
      or (r.ticket_type_id is not null and t.event_id is distinct from r.event_id)`,

  'every ledger is emitted in its current state': `
    select l.ticket_type_id from registration.seat_ledger l
    where not exists (
      select from registration.outbox_message o, jsonb_array_elements(o.payload::jsonb) s
      where o.payload like '%' || l.ticket_type_id || '%' and s->>'aggregateId' = l.ticket_type_id
        and (s->>'version')::bigint = l.version
        and s->'data' = jsonb_build_object('confirmed', l.confirmed, 'waitlisted', l.waitlisted,
          'offered', l.offered, 'reserved', l.reserved))`,
};

/** Invariants that hold once no expiry and no promotion is due. */
const whenIdle: Record<string, string> = {
  'no seat is available while registrations wait for it': `
    select l.ticket_type_id from registration.seat_ledger l
    join registration.ticket_type_projection t on t.id = l.ticket_type_id
    join registration.event_projection e on e.id = t.event_id
    where l.waitlisted > l.offered and t.status <> 'archived' and e.status <> 'archived'
      and (t.price_amount = 0 or t.closes_at is null or t.closes_at > clock_timestamp())
      and (t.capacity is null or t.capacity > l.confirmed + l.reserved)`,
};

/**
 * Checks all events of a database and returns the violated invariants by name, with up to three
 * rows each. Types in `lowered` had their capacity set below the taken seats.
 */
export async function violatedInvariants(
  sql: Sql,
  options: { lowered?: readonly string[]; isIdle?: boolean } = {},
): Promise<Record<string, unknown>> {
  const { lowered = [], isIdle = true } = options;
  const broken: Record<string, unknown> = {};
  for (const [name, query] of Object.entries({
    ...invariants,
    ...(isIdle ? whenIdle : {}),
  })) {
    const rows = await sql(`${query} limit 3`, query.includes('$1') ? [lowered] : []);
    if (rows.length > 0) broken[name] = rows;
  }
  return broken;
}
