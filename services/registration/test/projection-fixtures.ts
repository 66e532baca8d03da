import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { newId } from '@event-api/platform/core/ids';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';
import { expect } from 'vitest';
import { someEmail } from './fixtures.ts';
import type { StubOwner, TestDatabase } from './harness.ts';

type Sql = TestDatabase['sql'];

/** Creates the projection of a perk of the event. */
export async function createTestPerk(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  name = 'Lunch',
): Promise<string> {
  const id = newId('perk');
  await sql(
    `insert into registration.perk_projection (id, business_unit_id, event_id, version, name, description)
     values ($1, $2, $3, 1, $4, null)`,
    [id, businessUnitId, eventId, name],
  );
  return id;
}

export interface AddonFields {
  capacity?: number | null;
  opensAt?: Date | null;
  closesAt?: Date | null;
  minPerOrder?: number | null;
  maxPerOrder?: number | null;
}

/** Creates the projection of an add-on that delivers these perks. */
export async function createTestAddon(
  sql: Sql,
  { businessUnitId, eventId }: EventScope,
  perkIds: readonly string[] = [],
  fields: AddonFields = {},
): Promise<string> {
  const id = newId('addon');
  const { capacity = null, opensAt = null, closesAt = null } = fields;
  const { minPerOrder = null, maxPerOrder = null } = fields;
  await sql(
    `insert into registration.addon_projection (id, business_unit_id, event_id, version, perk_ids, capacity, opens_at,
       closes_at, min_per_order, max_per_order)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9)`,
    [id, businessUnitId, eventId, perkIds, capacity, opensAt, closesAt, minPerOrder, maxPerOrder],
  );
  return id;
}

/** Replaces the capacity groups of the projected event, as a message does. */
export const setCapacityGroups = (
  sql: Sql,
  { eventId }: Pick<EventScope, 'eventId'>,
  groups: readonly { id: string; name: string; capacity: number }[],
) =>
  sql(
    'update registration.event_projection set capacity_groups = $2, version = version + 1 where id = $1',
    [eventId, JSON.stringify(groups)],
  );

/** Moves projected ticket types into a capacity group, or out of one. */
export const joinGroup = (sql: Sql, typeIds: readonly string[], groupId: string | null) =>
  sql(
    `update registration.ticket_type_projection set capacity_group_id = $2, version = version + 1
     where id = any($1)`,
    [typeIds, groupId],
  );

/** Lets the projected ticket type deliver these perks, as a message does. */
export const deliverByType = (sql: Sql, typeId: string, perkIds: readonly string[]) =>
  sql(
    'update registration.ticket_type_projection set perk_ids = $2, version = version + 1 where id = $1',
    [typeId, perkIds],
  );

/** Adds a record to the stub owner that the projection does not have. */
export function addOwnerSnapshot(
  owner: StubOwner,
  { businessUnitId, eventId }: EventScope,
  type: string,
  aggregateId: string,
  data: Snapshot['data'],
  version = 10,
): void {
  owner.snapshots.set(`${type} ${aggregateId}`, {
    id: newId('msg'),
    type,
    businessUnitId,
    eventId,
    aggregateId,
    version,
    occurredAt: '2027-01-01T00:00:00.000Z',
    data,
  });
}

/** The snapshot data of a ticket type that is on sale without limits. */
export const typeData = (fields: object = {}): Snapshot['data'] => ({
  name: 'Day pass',
  description: null,
  capacity: null,
  allowWaitlist: false,
  isPublic: true,
  requiresApproval: false,
  status: 'open',
  opensAt: null,
  closesAt: null,
  priceAmount: 0,
  sortOrder: 0,
  createdAt: '2027-01-01T00:00:00.000Z',
  perkIds: [],
  ...fields,
});

/** Expects a successful response and returns its body. A failure shows the error. */
export function succeeded({ status, body }: TestResponse, expected = 200): TestResponse['body'] {
  expect({ status, error: body?.error }).toEqual({ status: expected, error: undefined });
  return body;
}

/** The status of an error response, and the reason or field of each detail. */
export const errorSummary = ({ status, body }: TestResponse): unknown[] => [
  status,
  ...(body.error.details ?? []).map(
    ({ reason, field }: { reason?: string; field?: string }) => reason ?? field,
  ),
];

/** Registers a person through the API and returns the registration. */
export async function register(
  call: HttpClient,
  { eventId }: { eventId: string },
  body: object,
): Promise<TestResponse['body']> {
  const path = `/v1/events/${eventId}/registrations`;
  const response = await call('POST', path, { body: { email: someEmail(), ...body } });
  return succeeded(response, 201).registration;
}
