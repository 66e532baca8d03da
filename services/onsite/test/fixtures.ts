import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import type { AdmissionTimes } from '@event-api/rules/checkin-decision';
import { expect } from 'vitest';
import type { BadgeResponse, TestOnsite } from './harness.ts';

type Sql = TestOnsite['sql'];

let count = 0;

/** Returns a value that is unique in this file. */
export const unique = (word: string): string => `${word}-${process.pid}-${++count}`;

/** The dates of an event. A missing date is null. */
export interface EventDates {
  startsAt?: string;
  endsAt?: string;
}

/**
 * Creates an event in the projection and in the stub of catalog, by default in its own business
 * unit.
 */
export async function createTestEvent(
  { sql, owners }: TestOnsite,
  { businessUnitId = newId('unit'), agendaVersion = 0, dates = {} as EventDates } = {},
): Promise<EventScope> {
  const scope = { businessUnitId, eventId: newId('evt') };
  const { startsAt = null, endsAt = null } = dates;
  await sql(
    `insert into onsite.event_projection (id, business_unit_id, event_id, version, agenda_version, starts_at, ends_at, status, timezone)
     values ($1, $2, $1, 1, $3, $4, $5, 'published', 'UTC')`,
    [scope.eventId, businessUnitId, agendaVersion, startsAt, endsAt],
  );
  stubEventSnapshot(owners, scope, agendaVersion, 1, dates);
  return scope;
}

/** Sets the snapshot of an event in the stub of catalog. The projection stays unchanged. */
export function stubEventSnapshot(
  owners: TestOnsite['owners'],
  { businessUnitId, eventId }: EventScope,
  agendaVersion: number,
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
    data: {
      ...{ agendaVersion, status: 'published', timezone: 'UTC', startsAt: null, endsAt: null },
      ...dates,
    },
  });
}

/** Applies a date move to the projected event, as a message would. */
export const advanceProjectedAgenda = (sql: Sql, { eventId }: EventScope) =>
  sql(
    'update onsite.event_projection set version = version + 1, agenda_version = agenda_version + 1 where id = $1',
    [eventId],
  );

/** Creates a projected perk. */
export async function createTestPerk(
  sql: Sql,
  scope: EventScope,
  name: string | null = null,
): Promise<string> {
  const id = newId('perk');
  await sql(
    'insert into onsite.perk_projection (id, business_unit_id, event_id, version, name) values ($1, $2, $3, 1, $4)',
    [id, scope.businessUnitId, scope.eventId, name],
  );
  return id;
}

/** Creates a projected record that delivers perks. */
export async function createTestPerkSource(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  kind: 'ticket_type' | 'addon' | 'redemption_code',
  perkIds: readonly string[],
): Promise<string> {
  const id = newId(({ ticket_type: 'tt', addon: 'addon', redemption_code: 'code' } as const)[kind]);
  await sql(
    `insert into onsite.${kind}_projection (id, business_unit_id, event_id, version, perk_ids) values ($1, $2, $3, 1, $4)`,
    [id, businessUnitId, eventId, perkIds],
  );
  return id;
}

export interface RegistrationFields {
  name?: string;
  replacedCheckinCodes?: readonly string[];
  status?: RegistrationStatus;
  ticketTypeId?: string;
  addonIds?: readonly string[];
  redemptionCodeId?: string;
  grantedPerkIds?: readonly string[];
}

/** Creates a projected registration, by default confirmed. */
export async function createTestRegistration(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  fields: RegistrationFields = {},
): Promise<{ registrationId: string; checkinCode: string }> {
  const { name = null, status = 'confirmed', ticketTypeId = null, addonIds = [] } = fields;
  const { redemptionCodeId = null, grantedPerkIds = [], replacedCheckinCodes = [] } = fields;
  const badge = { registrationId: newId('reg'), checkinCode: unique('CHK') };
  await sql(
    `insert into onsite.registration_projection (id, business_unit_id, event_id, version, status, checkin_code, ticket_type_id,
       addon_ids, redemption_code_id, granted_perk_ids, name, replaced_checkin_codes)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11)`,
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
      name,
      replacedCheckinCodes,
    ],
  );
  return badge;
}

type PerkSources = BadgeResponse['perkSources'];

/** What the stub of registration returns for a badge. */
export interface BadgeFields {
  status?: RegistrationStatus;
  perkIds?: string[];
  replacedCheckinCodes?: string[];
  admission?: Partial<AdmissionTimes>;
  named?: { name: string | null; registrationTypeId: string | null; perkSources: PerkSources };
}

/** Sets the badge in the stub of registration. */
export function stubBadgeResponse(
  owners: TestOnsite['owners'],
  { eventId }: EventScope,
  badge: { registrationId: string; checkinCode: string },
  {
    status = 'confirmed',
    perkIds = [],
    replacedCheckinCodes = [],
    admission = {},
    named: { perkSources, ...fields } = { name: null, registrationTypeId: null, perkSources: [] },
  }: BadgeFields = {},
): void {
  const { registrationId: id, checkinCode } = badge;
  const times = { admissionOpensAt: null, admissionClosesAt: null, ...admission };
  const response: BadgeResponse = {
    registration: {
      id,
      eventId,
      checkinCode,
      replacedCheckinCodes,
      status,
      version: 9,
      ...fields,
      ...times,
    },
    perkIds,
    perkSources,
  };
  owners.badges.set(id, response);
  for (const code of [checkinCode, ...replacedCheckinCodes]) owners.badges.set(code, response);
}

/** Returns the body of a successful response. A failure shows the error. */
export function succeeded({ status, body }: TestResponse, expected = 200): TestResponse['body'] {
  expect({ status, error: body?.error }).toEqual({ status: expected, error: undefined });
  return body;
}

/** Runs an operator command and expects success. */
export async function command(
  operator: HttpClient,
  name: string,
  scope: EventScope,
  input: object,
): Promise<TestResponse['body']> {
  const response = await operator('POST', `/operator/${name}`, { body: { ...scope, ...input } });
  return succeeded(response, name.endsWith('.create') ? 201 : 200);
}

/** Summarizes an error: the status, and the reason or field of each detail. */
export const errorReason = ({ status, body }: TestResponse): unknown[] => [
  status,
  ...(body.error?.details ?? []).map(
    ({ reason, field }: { reason?: string; field?: string }) => reason ?? field,
  ),
];
