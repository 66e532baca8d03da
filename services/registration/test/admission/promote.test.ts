import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeEvent, createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';
import { register, succeeded, typeData } from '../projection-fixtures.ts';
import { fillWaitlist } from './bulk.ts';
import { holdLock } from './hold-lock.ts';

let service: TestRegistration;
let sql: TestRegistration['sql'];
beforeAll(async () => {
  service = await startRegistration({ replicas: 2, promoteIntervalMs: 200 });
  sql = service.sql;
});
afterAll(() => service?.close());
afterEach(async () => expect(await violatedInvariants(sql)).toEqual({}));

/** Calls one replica's internal listener as this service. */
async function as(issuer: string, n = 0) {
  const signer = await service.callers.signer(issuer);
  return httpClient(service.replica(n).internalUrl, {
    'x-caller': await signer.sign({ audience: 'service' }),
  });
}

interface Changed {
  capacity: number | null;
  version?: number;
  timeoutMs?: number;
}

/** Sends a changed ticket type as catalog does. */
async function promote(
  { businessUnitId, eventId }: EventScope,
  typeId: string,
  { capacity, version = 2, timeoutMs = 5000 }: Changed,
  issuer = 'catalog',
) {
  const ticketType = {
    id: newId('msg'),
    type: 'catalog.ticket_type',
    businessUnitId,
    eventId,
    aggregateId: typeId,
    version,
    occurredAt: '2027-01-01T00:00:00.000Z',
    data: typeData({ capacity, allowWaitlist: true }),
  };
  const call = await as(issuer, 1);
  return call('POST', '/internal/waitlist/promote', { body: { ticketType, timeoutMs } });
}

const seatsOf = (body: { seatLedger: { data: object } | null }) => body.seatLedger?.data;

/** A full type of this capacity with registrations on its waitlist. */
async function fullType(capacity: number, waitlisted: number, event = {}) {
  const scope = await createTestEvent(sql, event);
  const typeId = await createTestTicketType(sql, scope, { capacity, allowWaitlist: true });
  const call = await service.as(scope.businessUnitId);
  for (let n = 0; n < capacity + waitlisted; n++) {
    await register(call, scope, { registrationTypeId: typeId });
  }
  return { scope, typeId, call };
}

describe('a changed ticket type', () => {
  test('with more seats promotes the waitlist and returns the seats as they are published', async () => {
    const { scope, typeId } = await fullType(1, 3);
    const { seatLedger } = succeeded(await promote(scope, typeId, { capacity: 3 }));
    expect(seatLedger).toMatchObject({
      type: 'registration.seat_ledger',
      aggregateId: typeId,
      ...scope,
      data: { confirmed: 3, waitlisted: 1, offered: 0, reserved: 0 },
    });
    const [row] = await sql(
      'select version from registration.seat_ledger where ticket_type_id = $1',
      [typeId],
    );
    expect(row).toEqual({ version: String(seatLedger.version) });
  });

  test('is written to the projection, and an older version changes nothing', async () => {
    const { scope, typeId, call } = await fullType(1, 3);
    succeeded(await promote(scope, typeId, { capacity: 3, version: 7 }));
    const again = succeeded(await promote(scope, typeId, { capacity: 4, version: 6 }));
    expect(seatsOf(again)).toEqual({ confirmed: 3, waitlisted: 1, offered: 0, reserved: 0 });
    const path = `/v1/events/${scope.eventId}/ticket-types/${typeId}/availability`;
    expect(succeeded(await call('GET', path)).capacity).toBe(3);
  });

  test('without registrations has no seats', async () => {
    const scope = await createTestEvent(sql);
    const response = await promote(scope, newId('tt'), { capacity: 3 });
    expect(succeeded(response)).toEqual({ seatLedger: null });
  });

  test('promotes no one in an archived event', async () => {
    const { scope, typeId } = await fullType(1, 2);
    await changeEvent(sql, scope, 'archived');
    const body = succeeded(await promote(scope, typeId, { capacity: 3 }));
    expect(seatsOf(body)).toEqual({ confirmed: 1, waitlisted: 2, offered: 0, reserved: 0 });
  });

  test('is accepted from catalog only', async () => {
    const { scope, typeId, call } = await fullType(1, 1);
    const rejected = await promote(scope, typeId, { capacity: 3 }, 'commerce');
    expect(rejected.status).toBe(401);
    const path = `/v1/events/${scope.eventId}/ticket-types/${typeId}/availability`;
    expect(succeeded(await call('GET', path)).capacity).toBe(1);
  });

  test('of another type than a ticket type is a 400', async () => {
    const call = await as('catalog');
    const body = { ticketType: { type: 'catalog.event' }, timeoutMs: 1 };
    expect((await call('POST', '/internal/waitlist/promote', { body })).status).toBe(400);
  });
});

describe('when time runs out', () => {
  const size = 2_000;

  test('returns the seats committed so far, and the job promotes the rest', async () => {
    const scope = await createTestEvent(sql);
    const typeId = await createTestTicketType(sql, scope, { capacity: 1, allowWaitlist: true });
    await fillWaitlist(sql, scope, typeId, size);
    const body = succeeded(await promote(scope, typeId, { capacity: null, timeoutMs: 1 }));
    const { confirmed, waitlisted } = seatsOf(body) as { confirmed: number; waitlisted: number };
    expect(confirmed + waitlisted).toBe(size);
    expect(waitlisted).toBeGreaterThan(0);
    await eventually(async () => {
      const [row] = await sql(
        'select confirmed, waitlisted from registration.seat_ledger where ticket_type_id = $1',
        [typeId],
      );
      expect(row).toEqual({ confirmed: size, waitlisted: 0 });
    });
  });

  test('returns the seats unchanged while another replica has the lock', async () => {
    const { scope, typeId } = await fullType(1, 2);
    const release = await holdLock(service, scope);
    const body = succeeded(await promote(scope, typeId, { capacity: 3, timeoutMs: 50 }));
    expect(seatsOf(body)).toEqual({ confirmed: 1, waitlisted: 2, offered: 0, reserved: 0 });
    await release();
    await eventually(async () => {
      const again = succeeded(await promote(scope, typeId, { capacity: 3 }));
      expect(seatsOf(again)).toEqual({ confirmed: 3, waitlisted: 0, offered: 0, reserved: 0 });
    });
  });
});
