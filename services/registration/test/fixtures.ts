import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import type { TestDatabase } from '@event-api/platform/testing/database';
import { createPerson } from '../src/registrations/person.ts';
import type { ReserveRequest } from '../src/reservations/reservations.rules.ts';

type Sql = TestDatabase['sql'];

let count = 0;

/** A value that no other test of this file uses. */
export const unique = (word: string): string => `${word}-${process.pid}-${++count}`;

/** An unused email. Each test file has its own database. */
export const someEmail = (): string => `${unique('guest')}@example.com`;

export interface TypeFields {
  capacity?: number | null;
  allowWaitlist?: boolean;
  requiresApproval?: boolean;
  status?: SaleStatus;
  opensAt?: Date | null;
  closesAt?: Date | null;
  priceAmount?: number;
}

/** Creates the projection of an event, by default in its own business unit. */
export async function createTestEvent(
  sql: Sql,
  { status = 'published', businessUnitId = newId('unit') } = {},
): Promise<EventScope> {
  const eventId = newId('evt');
  await sql(
    `insert into registration.event_projection (id, business_unit_id, event_id, version, name, status, currency)
     values ($1, $2, $1, 1, 'Summit', $3, 'EUR')`,
    [eventId, businessUnitId, status],
  );
  return { businessUnitId, eventId };
}

/** Creates the projection of a ticket type that is on sale. */
export async function createTestTicketType(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  fields: TypeFields = {},
): Promise<string> {
  const id = newId('tt');
  const { capacity = null, allowWaitlist = false, requiresApproval = false } = fields;
  const { status = 'open', opensAt = null, closesAt = null, priceAmount = 0 } = fields;
  await sql(
    `insert into registration.ticket_type_projection (id, business_unit_id, event_id, version, name, description, capacity,
       allow_waitlist, is_public, requires_approval, status, opens_at, closes_at, price_amount, sort_order, created_at,
       perk_ids)
     values ($1, $2, $3, 1, 'Day pass', null, $4, $5, true, $6, $7, $8, $9, $10, 0, now(), '{}')`,
    [
      id,
      businessUnitId,
      eventId,
      capacity,
      allowWaitlist,
      requiresApproval,
      status,
      opensAt,
      closesAt,
      priceAmount,
    ],
  );
  return id;
}

/** Updates the projection of a ticket type, as a message does. */
export async function changeType(sql: Sql, typeId: string, fields: TypeFields): Promise<void> {
  const names: Record<keyof TypeFields, string> = {
    capacity: 'capacity',
    allowWaitlist: 'allow_waitlist',
    requiresApproval: 'requires_approval',
    status: 'status',
    opensAt: 'opens_at',
    closesAt: 'closes_at',
    priceAmount: 'price_amount',
  };
  const keys = Object.keys(fields) as (keyof TypeFields)[];
  const sets = keys.map((key, n) => `${names[key]} = $${n + 2}`);
  const values = keys.map((key) => fields[key]);
  await sql(
    `update registration.ticket_type_projection set version = version + 1, ${sets.join(', ')} where id = $1`,
    [typeId, ...values],
  );
}

/** Updates the projected status of the event, as a message does. */
export const changeEvent = (sql: Sql, { eventId }: EventScope, status: string) =>
  sql('update registration.event_projection set version = version + 1, status = $2 where id = $1', [
    eventId,
    status,
  ]);

export async function createTestCode(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  typeId: string,
  fields: { maxUses?: number | null; status?: string; expiresAt?: Date | null } = {},
): Promise<{ id: string; code: string }> {
  const { maxUses = 1, status = 'active', expiresAt = null } = fields;
  const id = newId('code');
  const code = unique('CODE');
  await sql(
    `insert into registration.redemption_code (id, business_unit_id, event_id, ticket_type_id, code, code_key, max_uses,
       status, expires_at)
     values ($1, $2, $3, $4, $5, upper($5), $6, $7, $8)`,
    [id, businessUnitId, eventId, typeId, code, maxUses, status, expiresAt],
  );
  return { id, code };
}

/** Makes a code expire. The API does not create a code that has already expired. */
export const expireCode = (sql: Sql, id: string) =>
  sql(`update registration.redemption_code set expires_at = '2020-01-01T00:00:00Z' where id = $1`, [
    id,
  ]);

/** Expires a reservation now. A column with milliseconds rounds: the time could be ahead. */
export const expireReservation = (sql: Sql, id: string) =>
  sql(
    `update registration.seat_reservation
     set expires_at = date_trunc('milliseconds', clock_timestamp()) where id = $1`,
    [id],
  );

/** A reservation request of an order, with one seat for each of `emails`. */
export function createReserveRequest(
  { businessUnitId }: EventScope,
  typeId: string,
  emails: readonly string[],
  fields: Partial<ReserveRequest> = {},
): ReserveRequest {
  return {
    reservationId: unique('ord'),
    buyerEmail: emails[0] ?? someEmail(),
    seats: emails.map((email) => ({
      ticketTypeId: typeId,
      person: createPerson(businessUnitId, { email, name: null }),
      inBundle: false,
    })),
    addonIds: [],
    codeKey: null,
    acceptsApproval: true,
    reservationMs: 900_000,
    ...fields,
  };
}
