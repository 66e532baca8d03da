import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { expect } from 'vitest';
import type { BadgeResponse, TestOnsite } from './harness.ts';

type Sql = TestOnsite['sql'];

let count = 0;

/** Something that no other test of this file uses. */
export const unique = (word: string): string => `${word}-${process.pid}-${++count}`;

/** The dates of an event; one that is left out is null. */
export interface EventDates {
  startsAt?: string;
  endsAt?: string;
}

/** An event that is known here and at catalog, of a unit of its own unless told otherwise. */
export async function createTestEvent(
  { sql, owners }: TestOnsite,
  { businessUnitId = newId('unit'), agendaEpoch = 0, dates = {} as EventDates } = {},
): Promise<EventScope> {
  const scope = { businessUnitId, eventId: newId('evt') };
  const { startsAt = null, endsAt = null } = dates;
  await sql(
    `insert into onsite.event_copy (id, business_unit_id, event_id, version, agenda_epoch, starts_at, ends_at)
     values ($1, $2, $1, 1, $3, $4, $5)`,
    [scope.eventId, businessUnitId, agendaEpoch, startsAt, endsAt],
  );
  stubEventSnapshot(owners, scope, agendaEpoch, 1, dates);
  return scope;
}

/** What catalog says of an event from now on; the copy here is another matter. */
export function stubEventSnapshot(
  owners: TestOnsite['owners'],
  { businessUnitId, eventId }: EventScope,
  agendaEpoch: number,
  version: number,
  dates: EventDates = {},
): void {
  owners.snapshots.set(`catalog.event ${eventId}`, {
    id: newId('msg'),
    type: 'catalog.event',
    businessUnitId,
    eventId,
    aggregateId: eventId,
    version,
    occurredAt: '2027-01-01T00:00:00.000Z',
    data: { agendaEpoch, startsAt: null, endsAt: null, ...dates },
  });
}

/** What a message would do: the event's copy counts another date move. */
export const advanceProjectedAgenda = (sql: Sql, { eventId }: EventScope) =>
  sql(
    'update onsite.event_copy set version = version + 1, agenda_epoch = agenda_epoch + 1 where id = $1',
    [eventId],
  );

/** The copy of a perk of the event. */
export async function createTestPerk(sql: Sql, scope: EventScope): Promise<string> {
  const id = newId('perk');
  await sql(
    'insert into onsite.perk_copy (id, business_unit_id, event_id, version) values ($1, $2, $3, 1)',
    [id, scope.businessUnitId, scope.eventId],
  );
  return id;
}

/** The copy of something that delivers perks. */
export async function createTestPerkSource(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  kind: 'ticket_type' | 'addon' | 'redemption_code',
  perkIds: readonly string[],
): Promise<string> {
  const id = newId(({ ticket_type: 'tt', addon: 'addon', redemption_code: 'code' } as const)[kind]);
  await sql(
    `insert into onsite.${kind}_copy (id, business_unit_id, event_id, version, perk_ids) values ($1, $2, $3, 1, $4)`,
    [id, businessUnitId, eventId, perkIds],
  );
  return id;
}

export interface RegistrationFields {
  status?: RegistrationStatus;
  ticketTypeId?: string;
  addonIds?: readonly string[];
  redemptionCodeId?: string;
  grantedPerkIds?: readonly string[];
}

/** The copy of a registration, confirmed unless told otherwise. */
export async function createTestRegistration(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  fields: RegistrationFields = {},
): Promise<{ registrationId: string; checkinCode: string }> {
  const { status = 'confirmed', ticketTypeId = null, addonIds = [] } = fields;
  const { redemptionCodeId = null, grantedPerkIds = [] } = fields;
  const badge = { registrationId: newId('reg'), checkinCode: unique('CHK') };
  await sql(
    `insert into onsite.registration_copy (id, business_unit_id, event_id, version, status, checkin_code, ticket_type_id,
       addon_ids, redemption_code_id, granted_perk_ids)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9)`,
    [
      badge.registrationId,
      businessUnitId,
      eventId,
      status,
      badge.checkinCode,
      ticketTypeId,
      addonIds,
      redemptionCodeId,
      grantedPerkIds,
    ],
  );
  return badge;
}

/** Lets registration itself say this of a badge. */
export function stubBadgeResponse(
  owners: TestOnsite['owners'],
  { eventId }: EventScope,
  badge: { registrationId: string; checkinCode: string },
  { status = 'confirmed' as RegistrationStatus, perkIds = [] as string[] } = {},
): void {
  const { registrationId: id, checkinCode } = badge;
  const response: BadgeResponse = {
    registration: { id, eventId, checkinCode, status, version: 9 },
    perkIds,
  };
  owners.badges.set(id, response);
  owners.badges.set(checkinCode, response);
}

/** The body of an answer that has to be a success; a failure shows what came instead. */
export function succeeded({ status, body }: TestResponse, expected = 200): TestResponse['body'] {
  expect({ status, error: body?.error }).toEqual({ status: expected, error: undefined });
  return body;
}

/** Runs an operator command that has to succeed. */
export async function command(
  operator: HttpClient,
  name: string,
  scope: EventScope,
  input: object,
): Promise<TestResponse['body']> {
  const response = await operator('POST', `/operator/${name}`, { body: { ...scope, ...input } });
  return succeeded(response, name.endsWith('.create') ? 201 : 200);
}

/** What is refused, in short: the status and what the details say. */
export const errorReason = ({ status, body }: TestResponse): unknown[] => [
  status,
  ...(body.error?.details ?? []).map(
    ({ reason, field }: { reason?: string; field?: string }) => reason ?? field,
  ),
];
