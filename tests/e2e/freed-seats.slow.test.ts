import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus, openEvent } from './fixtures/bus.ts';
import { relaxedProjectionTimeouts } from './fixtures/checkout.ts';
import { type PairedGateways, startPairedGateways } from './paired-gateways.ts';

let bus: BusFixture;
let gateway: PairedGateways['gateway'];
beforeAll(async () => {
  ({ bus, gateway } = await startPairedGateways({ switches: relaxedProjectionTimeouts }));
});
afterAll(() => bus?.stop());

const raises = process.env.TEST_SIZE === 'full' ? 5_000 : 60;
const lanes = 4;
const waiting = 20;

const randomEmail = () => `${randomUUID()}@example.com`;

/** Creates an event with a full ticket type of this capacity and a waitlist. */
async function fullType(turn: number, capacity: number, waitlisted: number) {
  const event = await openEvent(gateway(turn), { capacity, allowWaitlist: true });
  const body = { registrationTypeId: event.typeId };
  const registrations: { id: string }[] = [];
  for (let n = 0; n < capacity + waitlisted; n++) {
    const created = await expectStatus(
      gateway(turn),
      ['POST', `${event.path}/registrations`, { ...body, email: randomEmail() }],
      201,
    );
    registrations.push(created.registration);
  }
  return { ...event, registrations };
}

type Counts = { confirmed: number; waitlisted: number };

/** Returns the counts of each path that reports them, read through one gateway. */
async function readCounts(turn: number, path: string, typePath: string): Promise<Counts[]> {
  const call = gateway(turn);
  const { ticketTypes } = await expectStatus(call, ['GET', `${path}/ticket-types`]);
  const one = await expectStatus(call, ['GET', typePath]);
  const availability = await expectStatus(call, ['GET', `${typePath}/availability`]);
  const { registrations } = await expectStatus(call, ['GET', `${path}/registrations`]);
  const countOf = (status: string) =>
    registrations.filter((each: { status: string }) => each.status === status).length;
  const { confirmed, waitlisted } = availability;
  return [
    ticketTypes[0].counts,
    one.counts,
    { confirmed, waitlisted },
    { confirmed: countOf('confirmed'), waitlisted: countOf('waitlisted') },
  ];
}

/**
 * Raises one capacity by random steps until the waitlist is empty. Returns for each step a
 * description of stale responses, or an empty string.
 */
async function raiseUntilEmpty(lane: number, maxRaises: number): Promise<string[]> {
  const { path, typePath } = await fullType(lane, 1, waiting);
  const results: string[] = [];
  for (let capacity = 1; capacity <= waiting && results.length < maxRaises; ) {
    capacity += randomInt(1, 4);
    const turn = results.length;
    const isUnlimited = capacity > waiting && randomInt(2) === 0;
    const patch = { capacity: isUnlimited ? null : capacity };
    const { counts } = await expectStatus(gateway(turn), ['PATCH', typePath, patch]);
    const confirmed = Math.min(capacity, waiting + 1);
    const expected = { confirmed, waitlisted: waiting + 1 - confirmed };
    const seen = [counts, ...(await readCounts(turn + 1, path, typePath))];
    const isFresh = seen.every((each) => JSON.stringify(each) === JSON.stringify(expected));
    results.push(isFresh ? '' : `${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
  }
  return results;
}

describe('a change that frees or adds seats', () => {
  test(`of capacity, ${raises} times at random, shows the promotions in its response and in reads at another gateway`, async () => {
    const perLane = Math.ceil(raises / lanes);
    const results = await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const ofLane: string[] = [];
        while (ofLane.length < perLane) {
          ofLane.push(...(await raiseUntilEmpty(lane, perLane - ofLane.length)));
        }
        return ofLane;
      }),
    );
    expect(results.flat().length).toBeGreaterThanOrEqual(raises);
    const stale = results.flat().filter((text) => text !== '');
    expect({ stale: stale.length, examples: stale.slice(0, 3) }).toEqual({
      stale: 0,
      examples: [],
    });
  }, 600_000);

  test('of the capacity of a group shows the promotions in reads at another gateway', async () => {
    const { path, typePath } = await fullType(0, 5, 10);
    const setGroup = (turn: number, capacity: number) => {
      const capacityGroups = [{ name: 'Hall', capacity }];
      return expectStatus(gateway(turn), ['PATCH', path, { capacityGroups }]);
    };
    const { capacityGroups } = await setGroup(0, 5);
    await expectStatus(gateway(0), ['PATCH', typePath, { capacityGroupId: capacityGroups[0].id }]);
    await expectStatus(gateway(0), ['PATCH', typePath, { capacity: null }]);
    for (const [turn, capacity] of [6, 9, 12, 15].entries()) {
      await setGroup(turn, capacity);
      const expected = { confirmed: capacity, waitlisted: 15 - capacity };
      for (const counts of await readCounts(turn + 1, path, typePath)) {
        expect(counts).toEqual(expected);
      }
    }
  });

  test('by cancelling a registration shows the promotion at another gateway', async () => {
    const { path, typePath, registrations } = await fullType(0, 5, 5);
    for (const [turn, { id }] of registrations.slice(0, 5).entries()) {
      await expectStatus(gateway(turn), ['POST', `${path}/registrations/${id}/cancel`]);
      const expected = { confirmed: 5, waitlisted: 4 - turn };
      for (const counts of await readCounts(turn + 1, path, typePath)) {
        expect(counts).toEqual(expected);
      }
    }
  });

  test('by cancelling an order shows the promotion at another gateway', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { typeId, path, typePath } = await openEvent(gateway(turn), {
        capacity: 2,
        allowWaitlist: true,
      });
      const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
      const items = [{ itemType: 'registration_type', itemId: typeId, quantity: 2, attendees }];
      const order = await expectStatus(
        gateway(turn),
        ['POST', `${path}/orders`, { email: randomEmail(), items }],
        201,
      );
      const body = { registrationTypeId: typeId };
      for (let n = 0; n < 3; n++) {
        const people = { ...body, email: randomEmail() };
        await expectStatus(gateway(turn), ['POST', `${path}/registrations`, people], 201);
      }
      await expectStatus(gateway(turn), ['POST', `${path}/orders/${order.orderNumber}/cancel`]);
      for (const counts of await readCounts(turn + 1, path, typePath)) {
        expect(counts).toEqual({ confirmed: 2, waitlisted: 1 });
      }
    }
  });
});

test('an update that removes the price shows the confirmed offers at another gateway', async () => {
  for (let turn = 0; turn < 2; turn++) {
    const { typeId, path, typePath } = await openEvent(gateway(turn), {
      capacity: 2,
      allowWaitlist: true,
      priceAmount: 1000,
    });
    const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
    const items = [{ itemType: 'registration_type', itemId: typeId, quantity: 2, attendees }];
    const order = await expectStatus(
      gateway(turn),
      ['POST', `${path}/orders`, { email: randomEmail(), items }],
      201,
    );
    for (let n = 0; n < 3; n++) {
      const body = { registrationTypeId: typeId, email: randomEmail() };
      await expectStatus(gateway(turn), ['POST', `${path}/registrations`, body], 201);
    }
    await expectStatus(gateway(turn), ['POST', `${path}/orders/${order.orderNumber}/cancel`]);
    for (const counts of await readCounts(turn + 1, path, typePath)) {
      expect(counts).toEqual({ confirmed: 0, waitlisted: 3 });
    }
    const { counts } = await expectStatus(gateway(turn), ['PATCH', typePath, { priceAmount: 0 }]);
    for (const each of [counts, ...(await readCounts(turn + 1, path, typePath))]) {
      expect(each).toEqual({ confirmed: 2, waitlisted: 1 });
    }
  }
});

test('the tests raised no alarm', () => {
  expect(bus.alarms()).toEqual([]);
});
