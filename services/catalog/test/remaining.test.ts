import { beforeAll, describe, expect, test } from 'vitest';
import { call, catalog, unit, useCatalog } from './context.ts';
import {
  createTestEvent,
  createTestTicketType,
  type EventBody,
  pathOf,
  succeeded,
} from './fixtures.ts';

let event: EventBody;

useCatalog();
beforeAll(async () => {
  event = await createTestEvent(call);
});

/** Creates a ticket type whose seats are taken like this. */
async function typeWith(fields: object, seats: Record<string, number | null> = {}) {
  const type = await createTestTicketType(call, event, fields);
  const row = { confirmed: 0, waitlisted: 0, offered: 0, reserved: 0, ...seats };
  await catalog.sql(
    `insert into catalog.seat_count (id, business_unit_id, event_id, version, confirmed, waitlisted, offered, reserved)
     values ($1, $2, $3, 1, $4, $5, $6, $7)`,
    [type.id, unit, event.id, row.confirmed, row.waitlisted, row.offered, row.reserved],
  );
  return type;
}

describe('the availability of a ticket type', () => {
  const taken = { confirmed: 2, waitlisted: 0, reserved: 3 };

  test.each([
    ['subtracts confirmed and held seats', { capacity: 10 }, taken, 5],
    ['is 0 and not less', { capacity: 4 }, taken, 0],
    ['is unlimited without a capacity', {}, taken, null],
    ['is 0 while the waitlist goes first', { capacity: 10 }, { ...taken, waitlisted: 1 }, 0],
    [
      'is free when everyone on the waitlist has an offer',
      { capacity: 10 },
      { ...taken, waitlisted: 1, offered: 1 },
      5,
    ],
    [
      'counts no seats that the projection does not have yet',
      { capacity: 10 },
      { ...taken, offered: null, reserved: null },
      8,
    ],
  ] as const)('%s', async (_title, fields, seats, remaining) => {
    const { id, eventId, capacity } = await typeWith(fields, seats);
    const { confirmed, waitlisted } = seats;
    const availability = { capacity, confirmed, waitlisted, held: seats.reserved ?? 0, remaining };
    const path = pathOf({ id, eventId });
    expect(succeeded(await call('GET', path))).toMatchObject({ availability });
    const { ticketTypes } = succeeded<{ ticketTypes: { id: string }[] }>(
      await call('GET', `${pathOf(event)}/ticket-types`),
    );
    expect(ticketTypes.find((one) => one.id === id)).toMatchObject({ availability });
  });

  test('is not kept for the waitlist after the sale of a priced type, or in an archived event', async () => {
    const archived = await createTestEvent(call);
    const closesAt = '2020-01-01T00:00:00Z';
    const waiting = { waitlisted: 2 };
    const ended = await typeWith({ capacity: 5, priceAmount: 100, closesAt }, waiting);
    const free = await typeWith({ capacity: 5, closesAt }, waiting);
    const remaining = async (type: object) =>
      succeeded<typeof ended>(await call('GET', pathOf(type as typeof ended))).availability
        .remaining;
    expect([await remaining(ended), await remaining(free)]).toEqual([5, 0]);
    const type = await createTestTicketType(call, archived, { capacity: 5 });
    await catalog.sql(
      `insert into catalog.seat_count (id, business_unit_id, event_id, version, confirmed, waitlisted)
       values ($1, $2, $3, 1, 0, 2)`,
      [type.id, unit, archived.id],
    );
    expect(await remaining(type)).toBe(0);
    succeeded(await call('POST', `${pathOf(archived)}/archive`));
    expect(await remaining(type)).toBe(5);
  });
});

describe('the remaining bundles', () => {
  const addon = async () =>
    succeeded<{ id: string }>(
      await call('POST', `${pathOf(event)}/addons`, { body: { name: 'Dinner' } }),
      201,
    ).id;
  const ofType = ({ id: itemId }: { id: string }, quantity = 1) => ({
    itemType: 'registration_type',
    itemId,
    quantity,
  });

  test.each([
    [
      'are the least of its parts',
      [
        [7, 1],
        [4, 1],
      ],
      4,
    ],
    [
      'are as many as all seats of one allow',
      [
        [7, 1],
        [9, 2],
      ],
      4,
    ],
    [
      'are 0 when not all seats of one are left',
      [
        [7, 1],
        [1, 2],
      ],
      0,
    ],
    [
      'are those of the limited parts',
      [
        [null, 3],
        [6, 1],
      ],
      6,
    ],
    ['are unlimited when every part is', [[null, 1]], null],
    ['are unlimited without ticket types', [], null],
  ] as const)('%s', async (_title, parts, remaining) => {
    const types = await Promise.all(
      parts.map(([left]) =>
        typeWith({ capacity: left === null ? null : left + 3 }, { confirmed: 1, reserved: 2 }),
      ),
    );
    const items = [
      { itemType: 'addon', itemId: await addon(), quantity: 5 },
      ...types.map((type, index) => ofType(type, parts[index]?.[1])),
    ];
    const created = await call('POST', `${pathOf(event)}/bundles`, {
      body: { name: 'All', items },
    });
    const bundle = succeeded<{ id: string }>(created, 201);
    expect(bundle).toMatchObject({ remaining });
    const path = `${pathOf(event)}/bundles`;
    expect(succeeded(await call('GET', `${path}/${bundle.id}`))).toEqual(bundle);
    const { bundles } = succeeded<{ bundles: { id: string }[] }>(await call('GET', path));
    expect(bundles.find(({ id }) => id === bundle.id)).toEqual(bundle);
  });
});
