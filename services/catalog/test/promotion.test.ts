import type { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { newId } from '@event-api/platform/core/ids';
import { openDatabase } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalogOrm } from '../src/orm.ts';
import {
  createTestEvent,
  createTestTicketType,
  pathOf,
  succeeded,
  type TicketTypeBody,
} from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';
import { type Promote, startRegistrationStub } from './registration-stub.ts';

let registration: Awaited<ReturnType<typeof startRegistrationStub>>;
let catalog: TestCatalog;
let businessUnitId: string;
let call: HttpClient;
let type: TicketTypeBody;
/** The requests that catalog has sent to registration. */
let requests: Parameters<Promote>[0][];

beforeAll(async () => {
  registration = await startRegistrationStub();
  catalog = await startCatalog({ registrationUrl: registration.url });
  registration.trust(catalog.callers.verifier);
});
afterAll(async () => {
  await catalog?.close();
  await registration?.close();
});
beforeEach(async () => {
  businessUnitId = newId('unit');
  call = await catalog.as(businessUnitId);
  type = await openType({ capacity: 1, allowWaitlist: true });
  requests = [];
  registration.respond(async (input) => {
    requests.push(input);
    return { seatLedger: null, seatLedgersOfGroups: [] };
  });
});

const patch = (body: object, of = type) => call('PATCH', pathOf(of), { body });

async function openType(fields: object, eventId?: string): Promise<TicketTypeBody> {
  const event = eventId === undefined ? await createTestEvent(call) : { id: eventId };
  const created = await createTestTicketType(call, event, fields);
  return succeeded(await call('PATCH', pathOf(created), { body: { status: 'open' } }));
}

/** The seats of a ticket type as registration publishes them. */
const seatsOf = (
  { id: aggregateId, eventId }: Pick<TicketTypeBody, 'id' | 'eventId'>,
  confirmed: number,
  waitlisted: number,
  version = 10,
) => ({
  id: newId('msg'),
  type: 'registration.seat_ledger' as const,
  businessUnitId,
  eventId,
  aggregateId,
  version,
  occurredAt: '2027-01-01T00:00:00.000Z',
  data: { confirmed, waitlisted, reserved: 0 },
});

const respondWith = (confirmed: number, waitlisted: number, version = 10): void =>
  registration.respond(async (input) => {
    requests.push(input);
    return { seatLedger: seatsOf(type, confirmed, waitlisted, version), seatLedgersOfGroups: [] };
  });

const writeCounts = (confirmed: number, waitlisted: number, version = 5) =>
  catalog.sql(
    `insert into catalog.seat_count (id, business_unit_id, event_id, version, confirmed, waitlisted)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set version = $4, confirmed = $5, waitlisted = $6`,
    [type.id, businessUnitId, type.eventId, version, confirmed, waitlisted],
  );

const lockCounts = statement(
  'test_lock_seat_count',
  'select id from catalog.seat_count where id = $1 for update',
);

/** Locks the counts of the type and returns the function that releases them. */
async function holdCounts(): Promise<() => Promise<void>> {
  const { promise: wanted, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
  const db = await openDatabase(catalogOrm(catalog.database.url), 1);
  const transaction = db.transaction(async (tx) => {
    await tx.query(lockCounts, [type.id]);
    hasLocked();
    await wanted;
  });
  await Promise.race([locked, transaction]);
  return async () => {
    release();
    await transaction;
    await db.close();
  };
}

const counts = async (of = type) => succeeded<TicketTypeBody>(await call('GET', pathOf(of))).counts;

describe('an update that raises a capacity', () => {
  test('sends the changed record and returns the seat counts in its response and in the next read', async () => {
    await writeCounts(1, 2);
    respondWith(3, 0);
    const changed = succeeded<TicketTypeBody>(await patch({ capacity: 3 }));
    expect(changed).toMatchObject({ capacity: 3, counts: { confirmed: 3, waitlisted: 0 } });
    expect(await counts()).toEqual({ confirmed: 3, waitlisted: 0 });
    expect(requests).toHaveLength(1);
    const [{ ticketType }] = requests as [Parameters<Promote>[0]];
    expect(ticketType).toMatchObject({
      type: 'catalog.ticket_type' satisfies (typeof ticketTypeSnapshot)['type'],
      businessUnitId,
      eventId: type.eventId,
      aggregateId: type.id,
      data: { capacity: 3, allowWaitlist: true, status: 'open' },
    });
  });

  test('keeps a newer projection', async () => {
    await writeCounts(4, 1, 20);
    respondWith(3, 0, 10);
    succeeded(await patch({ capacity: 5 }));
    expect(await counts()).toEqual({ confirmed: 4, waitlisted: 1 });
  });

  test('calls registration again when the same capacity is sent again', async () => {
    await writeCounts(1, 2);
    succeeded(await patch({ capacity: 3 }));
    succeeded(await patch({ capacity: 3 }));
    expect(requests).toHaveLength(2);
  });

  test('returns zero counts for a type without registrations', async () => {
    const { counts } = succeeded<TicketTypeBody>(await patch({ capacity: null }));
    expect(counts).toEqual({ confirmed: 0, waitlisted: 0 });
  });
});

describe('an update that raises a capacity of a group', () => {
  const path = () => `/v1/events/${type.eventId}`;
  const setCapacity = async (capacity: number) => {
    const capacityGroups = [{ name: 'Hall', capacity }];
    const { capacityGroups: groups } = succeeded<{ capacityGroups: { id: string }[] }>(
      await call('PATCH', path(), { body: { capacityGroups } }),
    );
    return groups[0]?.id;
  };
  let events: unknown[];
  beforeEach(() => {
    events = [];
    registration.respondToGroups(async ({ event }) => {
      events.push(event);
      return { seatLedgersOfGroups: [seatsOf(type, 3, 0)] };
    });
  });

  test('sends the changed event, and the next read has the seats of its types', async () => {
    await setCapacity(1);
    expect(events).toEqual([]);
    const id = await setCapacity(3);
    expect(events).toMatchObject([
      {
        ...{ type: 'catalog.event', businessUnitId, aggregateId: type.eventId },
        data: { capacityGroups: [{ id, name: 'Hall', capacity: 3 }] },
      },
    ]);
    expect(await counts()).toEqual({ confirmed: 3, waitlisted: 0 });
  });

  test('calls registration again when the same capacity is sent again, but not for a lower one', async () => {
    await setCapacity(3);
    await setCapacity(3);
    await setCapacity(2);
    expect(events).toHaveLength(1);
  });

  test('succeeds when registration fails', async () => {
    await setCapacity(1);
    registration.respondToGroups(() => Promise.reject(new Error('no')));
    await setCapacity(3);
    expect(await counts()).toEqual({ confirmed: 0, waitlisted: 0 });
  });

  test('by a type that leaves it stores the seats of the other types of the group', async () => {
    const capacityGroupId = await setCapacity(1);
    const leaving = succeeded<TicketTypeBody>(
      await patch({ capacityGroupId }, await openType({ capacity: 9 }, type.eventId)),
    );
    registration.respond(async (input) => {
      requests.push(input);
      return { seatLedger: null, seatLedgersOfGroups: [seatsOf(type, 4, 0)] };
    });
    succeeded(await patch({ capacityGroupId: null }, leaving));
    expect(requests.at(-1)?.ticketType).toMatchObject({ aggregateId: leaving.id });
    expect(await counts()).toEqual({ confirmed: 4, waitlisted: 0 });
  });
});

describe('an update does not call registration', () => {
  test.each([
    ['that does not name the capacity', { name: 'Late bird' }],
    ['that only changes the status', { status: 'closed' }],
    ['that lowers the capacity', { capacity: 1 }],
    ['that archives the type', { capacity: 9, status: 'archived' }],
  ])('%s', async (_case, body) => {
    type = await openType({ capacity: 2, allowWaitlist: true });
    await writeCounts(2, 2);
    succeeded(await patch(body));
    expect(requests).toEqual([]);
  });

  test('that is rejected', async () => {
    await writeCounts(1, 2);
    expect((await patch({ capacity: 3, status: 'draft' })).status).toBe(400);
    expect(requests).toEqual([]);
  });
});

describe('the seats that registration returns', () => {
  test('may name a type twice: the newest is stored', async () => {
    registration.respond(async () => ({
      seatLedger: seatsOf(type, 3, 0, 10),
      seatLedgersOfGroups: [seatsOf(type, 2, 1, 9), seatsOf(type, 3, 0, 10)],
    }));
    const changed = succeeded<TicketTypeBody>(await patch({ capacity: 3 }));
    expect(changed.counts).toEqual({ confirmed: 3, waitlisted: 0 });
  });

  test('are stored within half a second, or the response has the projected counts', async () => {
    await writeCounts(1, 2);
    respondWith(3, 0);
    const release = await holdCounts();
    await eventually(async () => {
      const begun = performance.now();
      const changed = succeeded<TicketTypeBody>(await patch({ capacity: 3 }));
      expect(performance.now() - begun).toBeLessThan(2500);
      expect(changed).toMatchObject({ capacity: 3, counts: { confirmed: 1, waitlisted: 2 } });
    });
    await release();
    await eventually(async () => expect(await counts()).toEqual({ confirmed: 3, waitlisted: 0 }));
  });
});

describe('when registration is slow or unavailable', () => {
  /** Lets registration respond only when the returned function is called. */
  function stall(): () => void {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Promote>>>();
    registration.respond(() => promise);
    return () => resolve({ seatLedger: null, seatLedgersOfGroups: [] });
  }

  test('responds with the projected counts after half a second', async () => {
    await writeCounts(1, 2);
    const respond = stall();
    // An update without a timeout would exceed this in every attempt.
    await eventually(async () => {
      const begun = performance.now();
      const changed = succeeded<TicketTypeBody>(await patch({ capacity: 3 }));
      expect(performance.now() - begun).toBeLessThan(2500);
      expect(changed).toMatchObject({ capacity: 3, counts: { confirmed: 1, waitlisted: 2 } });
    });
    respond();
  });

  test('responds with the projected counts when registration fails', async () => {
    await writeCounts(1, 2);
    registration.respond(() => Promise.reject(new Error('no')));
    const changed = succeeded<TicketTypeBody>(await patch({ capacity: 3 }));
    expect(changed).toMatchObject({ capacity: 3, counts: { confirmed: 1, waitlisted: 2 } });
  });

  test('responds with the projected counts when registration is unavailable', async () => {
    const alone = await startCatalog();
    const unit = await alone.as(newId('unit'));
    const created = await createTestTicketType(unit, await createTestEvent(unit), {
      capacity: 1,
      allowWaitlist: true,
    });
    succeeded(await unit('PATCH', pathOf(created), { body: { status: 'open' } }));
    const changed = await unit('PATCH', pathOf(created), { body: { capacity: 3 } });
    expect(succeeded(changed)).toMatchObject({
      capacity: 3,
      counts: { confirmed: 0, waitlisted: 0 },
    });
    await alone.close();
  });
});
