import { describe, expect, test } from 'vitest';
import { createWatch } from '../../src/checkins/summary/watch.ts';
import { call, onsite, operator, scope, useOnsite } from '../context.ts';
import { command, createTestRegistration, succeeded } from '../fixtures.ts';

useOnsite();

const path = () => `/v1/events/${scope.eventId}/checkins`;
const summary = (query = '', headers: Record<string, string> = {}) =>
  call('GET', `${path()}/summary${query}`, { headers });
const tagOf = async () => String((await summary()).headers.etag);

/** The counts of a door that was passed only online. */
const admitted = (checkedIn: number) => ({
  ...{ checkedIn, overruled: 0, contested: 0, refused: 0 },
  admitted: checkedIn,
});

async function checkIn(door: object = { subjectType: 'event' }): Promise<string> {
  const { registrationId } = await createTestRegistration(onsite.sql, scope);
  const response = await call('POST', path(), { body: { registrationId, ...door } });
  return succeeded(response, 201).checkin.checkedInAt;
}

describe('the summary of check-ins', () => {
  test('counts the check-ins at every door, those of a deleted door included', async () => {
    const [hall, closed] = [
      await command(operator, 'venue.create', scope, { name: 'Hall' }),
      await command(operator, 'venue.create', scope, { name: 'Closed' }),
    ];
    await checkIn();
    await checkIn();
    await checkIn({ subjectType: 'venue', subjectId: closed.id });
    const last = await checkIn({ subjectType: 'venue', subjectId: hall.id });
    await command(operator, 'venue.delete', scope, { venueId: closed.id });
    const { lastCheckinAt, doors, ...counts } = succeeded(await summary());
    expect({ ...counts, lastCheckinAt }).toEqual({ ...admitted(4), lastCheckinAt: last });
    expect(doors).toHaveLength(3);
    const venue = { subjectType: 'venue' };
    expect(doors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          subjectType: 'event',
          subjectId: scope.eventId,
          checkedIn: 2,
          name: null,
        }),
        { ...venue, subjectId: hall.id, name: 'Hall', ...admitted(1), lastCheckinAt: last },
        expect.objectContaining({ ...venue, subjectId: closed.id, name: null, checkedIn: 1 }),
      ]),
    );
  });

  test('has the event itself without check-ins, and is a 404 for an event of another unit', async () => {
    const door = { subjectType: 'event', subjectId: scope.eventId, name: null };
    expect(succeeded(await summary())).toEqual({
      ...admitted(0),
      lastCheckinAt: null,
      doors: [{ ...door, ...admitted(0), lastCheckinAt: null }],
    });
    const stranger = await onsite.as('unit_other');
    expect((await stranger('GET', `${path()}/summary`)).status).toBe(404);
  });

  test('is exact after concurrent check-ins, repeats included', async () => {
    const people = await Promise.all(
      Array.from({ length: 40 }, () => createTestRegistration(onsite.sql, scope)),
    );
    const scans = [...people, ...people].map(({ registrationId }) =>
      call('POST', path(), { body: { registrationId, subjectType: 'event' } }),
    );
    for (const response of await Promise.all(scans)) expect(response.status).toBeLessThan(300);
    expect(succeeded(await summary())).toMatchObject({ checkedIn: 40 });
  });

  test('is a 304 without a body while nothing has changed, and has another ETag afterwards', async () => {
    const etag = await tagOf();
    const known = { 'if-none-match': `W/${etag}` };
    const unchanged = await summary('', known);
    expect(unchanged).toMatchObject({ status: 304, headers: { etag } });
    expect(unchanged.headers['cache-control']).toBe('private, no-cache');
    expect(unchanged.body ?? '').toBe('');
    await checkIn();
    const changed = await summary('', known);
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  test('returns at the next check-in, or after the time, with wait', async () => {
    const known = { 'if-none-match': await tagOf() };
    const waiting = summary('?wait=5', known);
    const other = summary('?wait=5', { 'if-none-match': '"other"' });
    expect(succeeded(await other)).toMatchObject({ checkedIn: 0 });
    await checkIn();
    expect(succeeded(await waiting)).toMatchObject({ checkedIn: 1 });
    const startedAt = performance.now();
    const ended = await summary('?wait=1', { 'if-none-match': await tagOf() });
    expect(ended.status).toBe(304);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  test('rejects a wait that is not a whole number up to 5', async () => {
    for (const wait of ['6', '-1', '0.5', 'x']) {
      expect([wait, (await summary(`?wait=${wait}`)).status]).toEqual([wait, 400]);
    }
  });
});

describe('requests that wait for one event', () => {
  test('share one read per turn, and end at once when the process drains', async () => {
    let reads = 0;
    const watch = createWatch({
      read: async () => {
        reads += 1;
        return { tag: reads < 3 ? 'old' : 'new', summary: reads };
      },
      onError: () => {},
    });
    const waits = Array.from({ length: 50 }, () => watch.next(scope, 'old', 5000));
    const found = await Promise.all(waits);
    expect(new Set(found.map((one) => one?.tag))).toEqual(new Set(['new']));
    expect(reads).toBe(3);
    const last = watch.next(scope, 'new', 60_000);
    watch.drain();
    expect(await last).toBeNull();
    expect(await watch.next(scope, 'new', 60_000)).toBeNull();
  });
});
