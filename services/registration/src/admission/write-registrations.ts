import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { initialVersionSql, nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import {
  type RegistrationRow,
  registrationColumns,
} from '../registrations/registrations.queries.ts';
import { type AdmissionState, type Change, isActive } from '../seats/seats.rules.ts';
import { writeDetails } from './write-details.ts';
import { offerChanges, writeOffers } from './write-offers.ts';

type Register = Extract<Change, { kind: 'register' }>;
type StatusChange = Extract<Change, { kind: 'set_status' }>;
type HandOver = Extract<Change, { kind: 'hand_over' }>;

/**
 * Writes each registration that a batch created or changed with its final status and offer, and
 * returns the rows; of several rows of a registration the last is current. Existing registrations
 * are written first: they may release the email that a new one takes.
 */
export async function writeRegistrations(
  tx: Tx,
  scope: EventScope,
  state: AdmissionState,
  changes: readonly Change[],
): Promise<RegistrationRow[]> {
  const registers = changes.filter((change) => change.kind === 'register');
  const createdIds = new Set(registers.map(({ person }) => person.registrationId));
  const statusChanges = changes.filter((change) => change.kind === 'set_status');
  const ofExisting = statusChanges.filter(({ id }) => !createdIds.has(id));
  const handedOver = changes
    .filter((change) => change.kind === 'hand_over')
    .filter(({ registrationId }) => !createdIds.has(registrationId));
  const ofOther = await handOver(tx, scope, handedOver);
  const details = changes.filter((change) => change.kind === 'change_registration');
  const offered = offerChanges(state, changes);
  const updated = [
    ...(await changeStatuses(tx, scope, state, ofExisting)),
    // Before the inserts, which take the next places on the waitlist.
    ...(await writeOffers(
      tx,
      scope,
      state,
      offered.filter((id) => !createdIds.has(id)),
    )),
    ...(await writeDetails(
      tx,
      scope,
      state,
      details.filter(({ id }) => !createdIds.has(id)),
    )),
  ];
  const inserted = await insertRegistrations(tx, scope, state, registers);
  const offeredAtOnce = offered.filter((id) => createdIds.has(id));
  return [
    ...ofOther,
    ...updated,
    ...inserted,
    ...(await writeOffers(tx, scope, state, offeredAtOnce)),
    ...(await writeDetails(
      tx,
      scope,
      state,
      details.filter(({ id }) => createdIds.has(id)),
    )),
  ];
}

const updateOrders = statement<RegistrationRow>(
  'admission_hand_over',
  `update registration.registration r set order_id = x.order_id, version = ${nextVersionSql}
   from unnest($3::text[], $4::text[]) x(id, order_id)
   where r.id = x.id and (r.event_id = $2) is true and (r.business_unit_id = $1) is true
   returning ${registrationColumns}`,
);

async function handOver(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  handedOver: readonly HandOver[],
): Promise<RegistrationRow[]> {
  if (handedOver.length === 0) return [];
  const last = [...new Map(handedOver.map((change) => [change.registrationId, change])).values()];
  return tx.query(updateOrders, [
    businessUnitId,
    eventId,
    last.map(({ registrationId }) => registrationId),
    last.map(({ to }) => to.orderId),
  ]);
}

// The status of a registration also determines the status of its attendee.
const updateStatuses = statement<RegistrationRow>(
  'admission_set_status',
  `with people as (
     update registration.attendee set version = ${nextVersionSql}
     where id = any(array(
       select r.attendee_id from registration.registration r
       where r.id = any($4) and (r.event_id = $2) is true and (r.business_unit_id = $1) is true
     ))
   )
   update registration.registration r set status = x.status, rejection_reason = x.reason,
     order_id = x.order_id, redemption_code_id = x.code_id,
     active_email = case when x.active then r.normal_email end,
     cancelled_at = case when x.status = 'cancelled' then $3::timestamptz else r.cancelled_at end,
     ended_with_event = case when not x.active then $10::boolean end,
     version = greatest(r.version + 1, ${initialVersionSql})
   from unnest($4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[])
     x(id, status, reason, active, order_id, code_id)
   where r.id = x.id and (r.event_id = $2) is true and (r.business_unit_id = $1) is true
   returning ${registrationColumns}`,
);

async function changeStatuses(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { now, isCancelled, registrations }: AdmissionState,
  statusChanges: readonly StatusChange[],
): Promise<RegistrationRow[]> {
  if (statusChanges.length === 0) return [];
  const last = [...new Map(statusChanges.map((change) => [change.id, change])).values()];
  return tx.query(updateStatuses, [
    businessUnitId,
    eventId,
    now,
    last.map(({ id }) => id),
    last.map(({ to }) => to),
    last.map(({ reason }) => reason),
    last.map(({ to }) => isActive(to)),
    last.map(({ id }) => registrations.get(id)?.orderId ?? null),
    last.map(({ id }) => registrations.get(id)?.redemptionCodeId ?? null),
    isCancelled,
  ]);
}

// A returning person keeps the attendee. The spelling of the email is updated, and the name if one
// was sent.
const insertAll = statement<RegistrationRow>(
  'admission_insert',
  `with people as (
     insert into registration.attendee (id, business_unit_id, event_id, contact_id, email, normal_email, name, created_at)
     select x.id, $1, $2, x.contact_id, x.email, x.normal_email, x.name, $3
     from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       with ordinality x(id, contact_id, email, normal_email, name, n) order by x.n
     on conflict (event_id, normal_email) do update set email = excluded.email,
       name = coalesce(excluded.name, registration.attendee.name),
       version = greatest(registration.attendee.version + 1, excluded.version)
     returning id, contact_id, normal_email
   )
   insert into registration.registration as r (id, business_unit_id, event_id, attendee_id, contact_id, email,
     normal_email, active_email, name, status, type, ticket_type_id, redemption_code_id, order_id,
     checkin_code, registered_at, cancelled_at, ended_with_event, version, responses, seat_id)
   select x.id, $1, $2, people.id, people.contact_id, x.email, x.normal_email,
     case when x.status <> 'cancelled' then x.normal_email end, x.name, x.status, 'attendee', x.ticket_type_id,
     x.code_id, x.order_id, x.checkin_code, $3, case when x.status = 'cancelled' then $3::timestamptz end,
     case when x.status in ('cancelled', 'rejected') then $20::boolean end, ${initialVersionSql}, x.responses, x.seat_id
   from unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
     $17::text[], $18::jsonb[], $19::text[])
     with ordinality x(id, email, normal_email, name, status, ticket_type_id, code_id, order_id, checkin_code, responses,
       seat_id, n)
   join people on people.normal_email = x.normal_email
   order by x.n
   returning ${registrationColumns}`,
);

async function insertRegistrations(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { now, isCancelled, registrations }: AdmissionState,
  registers: readonly Register[],
): Promise<RegistrationRow[]> {
  if (registers.length === 0) return [];
  const people = registers.map(({ person }) => person);
  // A person who is cancelled and registers again within one batch is one attendee.
  const once = [...new Map(people.map((person) => [person.normalEmail, person])).values()];
  return tx.query(insertAll, [
    businessUnitId,
    eventId,
    now,
    once.map(({ attendeeId }) => attendeeId),
    once.map(({ contactId }) => contactId),
    once.map(({ email }) => email),
    once.map(({ normalEmail }) => normalEmail),
    once.map(({ name }) => name),
    people.map(({ registrationId }) => registrationId),
    people.map(({ email }) => email),
    people.map(({ normalEmail }) => normalEmail),
    people.map(({ name }) => name),
    registers.map(
      ({ person, status }) => registrations.get(person.registrationId)?.status ?? status,
    ),
    registers.map(({ ticketTypeId }) => ticketTypeId),
    registers.map(({ redemptionCodeId }) => redemptionCodeId),
    registers.map(
      ({ person, orderId }) => registrations.get(person.registrationId)?.orderId ?? orderId,
    ),
    people.map(({ checkinCode }) => checkinCode),
    people.map(({ responses }) => responses && JSON.stringify(responses)),
    registers.map(({ seatId }) => seatId ?? null),
    isCancelled,
  ]);
}
