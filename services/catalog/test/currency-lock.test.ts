import { newId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { call, catalog, service, unit, useCatalog } from './context.ts';
import {
  createTestEvent,
  createTestEventInStatus,
  type EventBody,
  pathOf,
  succeeded,
} from './fixtures.ts';

useCatalog();

const lock = (eventId: string, businessUnitId = unit) =>
  service('POST', '/internal/events/lock-currency', { body: { businessUnitId, eventId } });
const setCurrency = (event: EventBody, currency: string) =>
  call('PATCH', pathOf(event), { body: { currency } });

const messagesOf = async (eventId: string) => {
  const rows = await catalog.sql<{ payload: string }>('select payload from catalog.outbox_message');
  return rows
    .flatMap(({ payload }) => JSON.parse(payload))
    .filter(({ aggregateId }) => aggregateId === eventId)
    .toSorted((a, b) => a.version - b.version);
};

describe('locking the currency', () => {
  test('is permanent, and publishes the event once for any number of requests', async () => {
    const event = await createTestEvent(call, {});
    await setCurrency(event, 'USD');
    const responses = await Promise.all(Array.from({ length: 8 }, () => lock(event.id)));
    responses.push(await lock(event.id));
    expect(responses.map(({ status, body }) => [status, body])).toEqual(
      responses.map(() => [200, { currency: 'USD' }]),
    );
    const refused = await setCurrency(event, 'GBP');
    expect(refused.status).toBe(412);
    expect(refused.body.error.details).toEqual([{ reason: 'CURRENCY_LOCKED' }]);
    expect((await setCurrency(event, 'USD')).status).toBe(200);
    const publishedLocks = (await messagesOf(event.id)).map(({ data }) => data.currencyLocked);
    expect(publishedLocks).toEqual([false, false, true]);
  });

  test('returns an identical 404 for an unknown event and another business unit, and locks nothing', async () => {
    const event = await createTestEvent(call);
    const foreign = await lock(event.id, newId('unit'));
    const unknown = await lock(newId('evt'));
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect((await setCurrency(event, 'GBP')).status).toBe(200);
  });

  test('succeeds in an archived event, because commerce decides about its orders', async () => {
    const event = await createTestEventInStatus(call, 'archived');
    expect((await lock(event.id)).body).toEqual({ currency: 'EUR' });
  });

  test('runs before or after a concurrent change: the returned currency is the final one', async () => {
    const seen = { refused: 0, changed: 0 };
    for (let round = 0; round < 20; round++) {
      const event = await createTestEvent(call);
      const requests = [() => setCurrency(event, 'USD'), () => lock(event.id)];
      if (round % 2 === 0) requests.reverse();
      const responses = await Promise.all(requests.map((send) => send()));
      const [change, locked] = round % 2 === 0 ? responses.toReversed() : responses;
      const stays = succeeded<EventBody>(await call('GET', pathOf(event))).currency;
      expect(locked?.body).toEqual({ currency: stays });
      expect([change?.status, stays]).toEqual(change?.status === 200 ? [200, 'USD'] : [412, 'EUR']);
      seen[change?.status === 200 ? 'changed' : 'refused']++;
      expect((await setCurrency(event, 'GBP')).status).toBe(412);
    }
    expect(seen.refused + seen.changed).toBe(20);
  });
});

describe('the agenda version', () => {
  const agendaVersions = async (eventId: string) =>
    (await messagesOf(eventId)).map(({ data }) => data.agendaVersion);
  const move = (event: EventBody, body: object) => call('PATCH', pathOf(event), { body });

  test('increments for each confirmed move of the start to another date, and for nothing else', async () => {
    const event = await createTestEvent(call);
    succeeded(await move(event, { startsAt: '2027-05-10T09:00:00+02:00' }));
    succeeded(
      await move(event, { startsAt: '2027-05-10T10:00:00+02:00', confirmAgendaReset: true }),
    );
    expect((await move(event, { startsAt: '2027-05-11T10:00:00+02:00' })).status).toBe(412);
    const there = { startsAt: '2027-05-11T10:00:00+02:00', confirmAgendaReset: true };
    succeeded(await move(event, there));
    succeeded(await move(event, there));
    succeeded(await move(event, { name: 'Other', confirmAgendaReset: true }));
    succeeded(await move(event, { startsAt: null, confirmAgendaReset: true }));
    expect(await agendaVersions(event.id)).toEqual([0, 0, 0, 1, 1, 2]);
  });

  test('increments once for concurrent requests of one move', async () => {
    const event = await createTestEvent(call, { startsAt: '2027-05-10T09:00:00+02:00' });
    const body = { startsAt: '2027-06-10T09:00:00+02:00', confirmAgendaReset: true };
    const responses = await Promise.all(Array.from({ length: 6 }, () => move(event, body)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await agendaVersions(event.id)).toEqual([0, 1]);
  });
});
