import type { EventScope } from '@event-api/contracts/internal/scope';
import type { TestDatabase } from '@event-api/platform/testing/database';

type Sql = TestDatabase['sql'];

/** Inserts so many registrations with their attendees and the ledger. Ids sort by creation. */
export async function registerMany(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  typeId: string,
  count: number,
  statuses: readonly string[] = ['confirmed'],
): Promise<void> {
  const values = [businessUnitId, eventId, typeId, count, statuses];
  await sql(
    `with made as (
       insert into registration.attendee (id, business_unit_id, event_id, contact_id, email, normal_email, created_at)
       select 'att_' || $3 || n, $1, $2, 'con_' || $3 || n, $3 || n, $3 || n, now() from generate_series(1, $4::int) n
     )
     insert into registration.registration (id, business_unit_id, event_id, attendee_id, contact_id, email, normal_email,
       active_email, status, type, ticket_type_id, checkin_code, registered_at, version)
     select 'reg_' || $3 || lpad(n::text, 6, '0'), $1, $2, 'att_' || $3 || n, 'con_' || $3 || n, $3 || n, $3 || n,
       case when s.status in ('rejected', 'cancelled') then null else $3 || n end, s.status, 'attendee', $3,
       'CHK-' || $3 || n, now(), 1
     from generate_series(1, $4::int) n
     cross join lateral (select ($5::text[])[1 + n % cardinality($5::text[])] as status) s order by n`,
    values,
  );
  await sql(
    `insert into registration.seat_ledger (ticket_type_id, business_unit_id, event_id, confirmed, waitlisted, version)
     select $3, $1, $2, count(*) filter (where status = 'confirmed'), count(*) filter (where status = 'waitlisted'), 1
     from registration.registration where ticket_type_id = $3`,
    values.slice(0, 3),
  );
}

/** Inserts a waitlist without any confirmed registration. */
export const fillWaitlist = (sql: Sql, scope: EventScope, typeId: string, count: number) =>
  registerMany(sql, scope, typeId, count, ['waitlisted']);
