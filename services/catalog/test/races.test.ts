import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { createLatch } from '@event-api/platform/testing/latch';
import { atStep, disableGuard } from '@event-api/platform/testing/switches/switches';
import { untilDecided } from '@event-api/platform/testing/until-decided';
import { describe, expect, test } from 'vitest';
import { call, catalog, useCatalog } from './context.ts';
import {
  createTestEvent,
  createTestTicketType,
  type EventBody,
  pathOf,
  succeeded,
  updated,
} from './fixtures.ts';

useCatalog();

const decidedPoint = 'ticket-type.create.decided';

const archive = (event: EventBody) => call('POST', `${pathOf(event)}/archive`);
const patch = (event: EventBody, body: object) => call('PATCH', pathOf(event), { body });
const createType = (event: EventBody) =>
  call('POST', `${pathOf(event)}/ticket-types`, { body: { name: 'Early bird' } });

const typesOf = async (event: EventBody) => {
  const response = await call('GET', `${pathOf(event)}/ticket-types`);
  return succeeded<{ ticketTypes: unknown[] }>(response).ticketTypes;
};

/** Resolves once a statement waits for a lock. */
const someoneWaits = () =>
  eventually(async () => {
    const waiting = await catalog.sql(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).not.toEqual([]);
  });

/** Stops a creation after its decision until the test lets it continue. */
async function creationThatWaits(event: EventBody) {
  const judged = createLatch(2);
  const goOn = createLatch(2);
  atStep(decidedPoint, async () => {
    void judged.arrive();
    await goOn.arrive();
  });
  const creation = createType(event);
  await judged.arrive();
  return { creation, goOn: () => void goOn.arrive() };
}

describe('creating a ticket type while the event is archived', () => {
  test('completes before the archive responds', async () => {
    const event = await createTestEvent(call);
    const { creation, goOn } = await creationThatWaits(event);
    let archived: TestResponse | undefined;
    const archiving = archive(event).then((response) => {
      archived = response;
    });
    await someoneWaits();
    expect(archived).toBeUndefined();
    goOn();
    expect((await creation).status).toBe(201);
    await archiving;
    expect(archived?.body).toMatchObject({ status: 'archived' });
    expect(await typesOf(event)).toHaveLength(1);
    expect((await createType(event)).status).toBe(412);
  });

  test('does not delay other creations', async () => {
    const event = await createTestEvent(call);
    const { creation, goOn } = await creationThatWaits(event);
    atStep(decidedPoint, () => {});
    await createTestTicketType(call, event);
    goOn();
    expect((await creation).status).toBe(201);
  });

  test('fails after the archive has responded, also in concurrent requests', async () => {
    const event = await createTestEvent(call);
    let isArchived = false;
    const tries = Array.from({ length: 20 }, async (_, i) => {
      if (i === 7) {
        succeeded(await untilDecided(() => archive(event)));
        isArchived = true;
        return [412, (await untilDecided(() => createType(event))).status];
      }
      const begunAfter = isArchived;
      const { status } = await untilDecided(() => createType(event));
      return begunAfter ? [412, status] : [status === 201 ? 201 : 412, status];
    });
    for (const [expected, status] of await Promise.all(tries)) expect(status).toBe(expected);
  });
});

describe('concurrent updates', () => {
  test('of different fields of an event are all applied', async () => {
    const event = await createTestEvent(call);
    const sent = [
      { name: 'Winter' },
      { timezone: 'Asia/Tokyo' },
      { startsAt: '2027-05-10T07:00:00.000Z' },
      { endsAt: '2027-05-11T07:00:00.000Z' },
      { currency: 'JPY' },
    ];
    for (const response of await Promise.all(sent.map((body) => patch(event, body)))) {
      succeeded(response);
    }
    const expected = Object.assign({ ...event }, ...sent);
    expect(succeeded(await call('GET', pathOf(event)))).toEqual(expected);
  });

  test('of different fields of a ticket type are all applied', async () => {
    const type = await createTestTicketType(call, await createTestEvent(call));
    const sent = [{ name: 'VIP' }, { capacity: 5 }, { priceAmount: 100 }, { status: 'open' }];
    const responses = sent.map((body) => call('PATCH', pathOf(type), { body }));
    for (const response of await Promise.all(responses)) succeeded(response);
    const expected = updated(type, Object.assign({}, ...sent));
    expect(succeeded(await call('GET', pathOf(type)))).toEqual(expected);
  });

  test('that publish and archive leave the event archived', async () => {
    for (let i = 0; i < 5; i++) {
      const event = await createTestEvent(call, { startsAt: '2027-05-10T07:00:00Z' });
      const [published, archived] = await Promise.all([
        patch(event, { status: 'published' }),
        archive(event),
      ]);
      expect(archived.status).toBe(200);
      expect([200, 400]).toContain(published.status);
      const after = succeeded<EventBody>(await call('GET', pathOf(event)));
      expect(after.status).toBe('archived');
      expect(after.publishedAt !== null).toBe(published.status === 200);
    }
  });

  test('that are valid alone but not together: one is rejected', async () => {
    const dates = { startsAt: '2027-05-10T07:00:00Z', endsAt: '2027-05-10T17:00:00Z' };
    const event = await createTestEvent(call, dates);
    const responses = await Promise.all([
      patch(event, { startsAt: '2027-05-10T16:00:00Z' }),
      patch(event, { endsAt: '2027-05-10T08:00:00Z' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('without the lock on the event', () => {
  test('a ticket type is created after the archive has responded', async () => {
    disableGuard('ticket-type.create.event-lock');
    const event = await createTestEvent(call);
    const { creation, goOn } = await creationThatWaits(event);
    expect(succeeded(await archive(event))).toMatchObject({ status: 'archived' });
    expect(await typesOf(event)).toHaveLength(0);
    goOn();
    expect((await creation).status).toBe(201);
    expect(await typesOf(event)).toHaveLength(1);
  });
});
