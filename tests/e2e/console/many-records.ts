import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '@event-api/platform/testing/database';

/** What the records of a test have in common. */
export interface ManyRecords {
  unitId: string;
  eventId: string;
  typeId: string;
  count: number;
}

/** Rows of one statement: each has a time limit. */
const part = 2000;

/**
 * Writes people behind the services, each with a paid order and a check-in at the entrance.
 * Requests would take minutes. Returns the ids of all registrations and orders.
 */
export async function writeManyRecords(
  sql: TestDatabase['sql'],
  { unitId, eventId, typeId, count }: ManyRecords,
): Promise<{ registrationIds: string[]; orderIds: string[] }> {
  // The ids of tests that share a database differ.
  const mark = randomBytes(8).toString('hex');
  const idOf = (kind: string, n: number) => `${kind}_${mark}${String(n).padStart(10, '0')}`;
  for (let from = 1; from <= count; from += part) {
    const values = [unitId, eventId, mark, from, Math.min(count, from + part - 1)];
    await sql(attendees, values);
    await sql(registrations, [...values, typeId]);
    await sql(orders, values);
    await sql(lines, [...values.slice(2), typeId]);
    await sql(checkins, values);
  }
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    registrationIds: numbers.map((n) => idOf('reg', n)),
    orderIds: numbers.map((n) => idOf('ord', n)),
  };
}

const id = (kind: string, mark = '$3') => `'${kind}_' || ${mark} || lpad(n::text, 10, '0')`;

const attendees = `
  insert into registration.attendee (id, business_unit_id, event_id, contact_id, email, normal_email, name, created_at)
  select ${id('att')}, $1, $2, ${id('con')}, n || '-' || $3 || '@example.com', n || '-' || $3 || '@example.com',
    'Person ' || n, now()
  from generate_series($4::int, $5::int) n`;

const registrations = `
  insert into registration.registration (id, business_unit_id, event_id, attendee_id, contact_id, email, normal_email,
    active_email, name, status, type, ticket_type_id, order_id, checkin_code, registered_at, version)
  select ${id('reg')}, $1, $2, ${id('att')}, ${id('con')}, n || '-' || $3 || '@example.com',
    n || '-' || $3 || '@example.com', n || '-' || $3 || '@example.com', 'Person ' || n, 'confirmed', 'attendee', $6,
    ${id('ord')}, 'CHK-' || upper($3) || n, now() - n * interval '1 second', 1700000000000000 + n
  from generate_series($4::int, $5::int) n`;

const orders = `
  insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
    total_amount, seats, addon_ids, hold_expires_at, placed_at, paid_at, last_attempt_at)
  select ${id('ord')}, $1, $2, 'ORD-' || upper($3) || n, n || '-' || $3 || '@example.com', 'Person ' || n, 'paid',
    'EUR', 2500, '[]', '{}', now(), now() - n * interval '1 second', now(), now()
  from generate_series($4::int, $5::int) n`;

const lines = `
  insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount, discount_amount,
    total_amount, attendees, first_seat, seat_count, registration_ids)
  select ${id('ord', '$1')}, 0, 'registration_type', $4, 'Seat', 1, 2500, 0, 2500, '[]', 0, 1,
    array[${id('reg', '$1')}]
  from generate_series($2::int, $3::int) n`;

const checkins = `
  insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id, method,
    checked_in_at)
  select ${id('chk')}, $1, $2, ${id('reg')}, 'event', $2, 'scan', timestamptz '2027-05-10T07:00:00Z'
  from generate_series($4::int, $5::int) n`;
