import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { initialVersionSql, nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import {
  type RegistrationRow,
  registrationColumns,
} from '../registrations/registrations.queries.ts';
import { type AdmissionState, type Change, isNewOrder } from '../seats/seats.rules.ts';

type DetailChange = Extract<Change, { kind: 'change_registration' }>;

// The person of the email becomes or stays the attendee, as for a new registration. The former
// attendee changes, too: its registrations do. A waitlisted registration goes to the end of the
// waitlist of another ticket type.
const changeDetails = statement<RegistrationRow>(
  'admission_change_details',
  `with old as materialized (
     select r.id, r.attendee_id, r.contact_id, r.email, r.normal_email, r.checkin_code from registration.registration r
     where r.id = $3 and r.event_id = $2 and r.business_unit_id = $1
   ), person as (
     insert into registration.attendee (id, business_unit_id, event_id, contact_id, email, normal_email, name, created_at)
     select coalesce($6, attendee_id), $1, $2, coalesce($7, contact_id), coalesce($8, email),
       coalesce($9, normal_email), $5, $12::timestamptz from old
     on conflict (event_id, normal_email) do update set email = excluded.email,
       name = coalesce(excluded.name, registration.attendee.name),
       version = greatest(registration.attendee.version + 1, excluded.version)
     returning id, contact_id, email, normal_email
   ), former as (
     update registration.attendee set version = ${nextVersionSql}
     where id = (select attendee_id from old where normal_email <> coalesce($9, normal_email))
   ), badge as (
     insert into registration.replaced_badge (checkin_code, business_unit_id, event_id, registration_id, replaced_at)
     select checkin_code, $1, $2, id, $12::timestamptz from old where $10::text is not null
   )
   update registration.registration r set attendee_id = person.id, contact_id = person.contact_id, email = person.email,
     normal_email = person.normal_email, active_email = case when r.active_email is not null then person.normal_email end,
     name = case when $4::boolean then $5 else r.name end, checkin_code = coalesce($10, r.checkin_code),
     ticket_type_id = coalesce($11, r.ticket_type_id), responses = coalesce($14::jsonb, r.responses), waitlist_order = case when $13::boolean
       then nextval(pg_get_serial_sequence('registration.registration', 'insertion_order')) else r.waitlist_order end,
     version = greatest(r.version + 1, ${initialVersionSql})
   from person where r.id = $3 and r.event_id = $2 and r.business_unit_id = $1
   returning ${registrationColumns}`,
);

/**
 * Writes changes of name, email, ticket type and responses in the order of their decisions, because one may
 * take the email that an earlier one has released. Returns the rows.
 */
export async function writeDetails(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { now, registrations }: AdmissionState,
  changes: readonly DetailChange[],
): Promise<RegistrationRow[]> {
  const rows: RegistrationRow[] = [];
  for (const { id, name, holder, ticketTypeId, responses } of changes) {
    const person = [holder?.attendeeId, holder?.contactId, holder?.email, holder?.normalEmail];
    rows.push(
      ...(await tx.query(changeDetails, [
        businessUnitId,
        eventId,
        id,
        name !== undefined,
        name ?? null,
        ...person.map((value) => value ?? null),
        holder?.checkinCode ?? null,
        ticketTypeId,
        now,
        ticketTypeId !== null && isNewOrder(registrations.get(id)?.waitlistOrder ?? 0),
        responses && JSON.stringify(responses),
      ])),
    );
  }
  return rows;
}
