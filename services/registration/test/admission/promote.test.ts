import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeEvent, createTestEvent, createTestTicketType } from '../fixtures.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';
import {
  joinGroup,
  register,
  setCapacityGroups,
  succeeded,
  typeData,
} from '../projection-fixtures.ts';
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

/** Sends an event with changed capacity groups as catalog does. */
async function promoteGroups(
  { businessUnitId, eventId }: EventScope,
  capacity: number,
  issuer = 'catalog',
) {
  const event = {
    ...{ id: newId('msg'), type: 'catalog.event', businessUnitId, eventId, aggregateId: eventId },
    ...{ version: 9, occurredAt: '2027-01-01T00:00:00.000Z' },
    data: {
      ...{ name: 'Event', status: 'published', startsAt: null, endsAt: null, currency: 'EUR' },
      ...{ currencyLocked: false, agendaVersion: 0, form: null },
      capacityGroups: [{ id: `cgp_${eventId}`, name: 'Hall', capacity }],
    },
  };
  const call = await as(issuer, 1);
  return call('POST', '/internal/waitlist/promote-groups', { body: { event, timeoutMs: 5000 } });
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
    expect(succeeded(response)).toEqual({ seatLedger: null, seatLedgersOfGroups: [] });
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

describe('changed capacity groups', () => {
  /** Two types in a group of one seat, which the first one has; both have a waitlist of one. */
  async function fullGroup() {
    const { scope, typeId, call } = await fullType(1, 1);
    const otherId = await createTestTicketType(sql, scope, { allowWaitlist: true });
    const groupId = `cgp_${scope.eventId}`;
    await setCapacityGroups(sql, scope, [{ id: groupId, name: 'Hall', capacity: 1 }]);
    await joinGroup(sql, [typeId, otherId], groupId);
    await register(call, scope, { registrationTypeId: otherId });
    return { scope, typeId, otherId };
  }
  const countsOf = (ledgers: { aggregateId: string; data: { confirmed: number } }[]) =>
    Object.fromEntries(ledgers.map(({ aggregateId, data }) => [aggregateId, data.confirmed]));

  test('promote at once what they are enough for, and return the seats of their types', async () => {
    const { scope, typeId, otherId } = await fullGroup();
    const { seatLedgersOfGroups } = succeeded(await promoteGroups(scope, 2));
    // The first type has no seat of its own left.
    expect(countsOf(seatLedgersOfGroups)).toEqual({ [typeId]: 1, [otherId]: 1 });
  });

  test('are accepted from catalog only', async () => {
    const { scope } = await fullGroup();
    expect((await promoteGroups(scope, 2, 'commerce')).status).toBe(401);
  });

  test('a type that leaves its group returns the seats of the others, which are promoted', async () => {
    const { scope, typeId, otherId } = await fullGroup();
    // The record that leaves has no group.
    const body = succeeded(await promote(scope, typeId, { capacity: 1, version: 9 }));
    expect(seatsOf(body)).toMatchObject({ confirmed: 1, waitlisted: 1 });
    expect(countsOf(body.seatLedgersOfGroups)).toEqual({ [otherId]: 1 });
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
