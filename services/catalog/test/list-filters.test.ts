import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { succeeded } from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: HttpClient;
let event: string;

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.close());
beforeEach(async () => {
  call = await catalog.as(newId('unit'));
  event = `/v1/events/${await create('/v1/events', { name: 'Summit', timezone: 'UTC' })}`;
});

const create = async (path: string, body: object): Promise<string> =>
  succeeded<{ id: string }>(await call('POST', path, { body }), 201).id;
const patch = async (path: string, body: object) => succeeded(await call('PATCH', path, { body }));

/** Returns the ids of a list, read in pages of `limit` rows. */
async function idsOf(path: string, filters: Record<string, string> = {}, limit = 2) {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ ...filters, limit: `${limit}`, ...(cursor && { cursor }) });
    const body = succeeded<Record<string, unknown>>(await call('GET', `${path}?${query}`));
    const [records] = Object.values(body) as { id: string }[][];
    ids.push(...(records ?? []).map(({ id }) => id));
    cursor = body.nextCursor as string | null;
  }
  return ids;
}

const refusedField = async (path: string) => {
  const { status, body } = await call('GET', path);
  return [status, body.error?.details?.[0]?.field];
};

describe('events', () => {
  test('are filtered by status, newest first, through all pages', async () => {
    const ids = [event.split('/').at(-1) as string];
    for (let n = 0; n < 5; n++) {
      ids.unshift(await create('/v1/events', { name: `Event ${n}`, timezone: 'UTC' }));
    }
    for (const [n, id] of ids.entries()) {
      const startsAt = '2027-05-10T09:00:00Z';
      if (n % 2 === 1) await patch(`/v1/events/${id}`, { status: 'published', startsAt });
    }
    await call('POST', `/v1/events/${ids[0]}/archive`);
    const of = (...positions: number[]) => positions.map((n) => ids[n]);
    expect(await idsOf('/v1/events', { status: 'published' })).toEqual(of(1, 3, 5));
    expect(await idsOf('/v1/events', { status: 'draft' }, 1)).toEqual(of(2, 4));
    expect(await idsOf('/v1/events', { status: 'archived' })).toEqual(of(0));
    const other = await catalog.as(newId('unit'));
    expect((await other('GET', '/v1/events?status=draft')).body).toEqual({
      events: [],
      nextCursor: null,
    });
  });
});

const sellables = [
  ['ticket-types', 'name'],
  ['addons', 'name'],
] as const;

describe.each(sellables)('%s', (collection) => {
  test('are filtered by status, in sort order, through all pages', async () => {
    const path = `${event}/${collection}`;
    const ids: string[] = [];
    for (const sortOrder of [4, 3, 2, 1, 0]) {
      ids.unshift(await create(path, { name: 'One', sortOrder }));
    }
    for (const n of [0, 2, 4]) await patch(`${path}/${ids[n]}`, { status: 'open' });
    await patch(`${path}/${ids[2]}`, { status: 'closed' });
    expect(await idsOf(path, { status: 'draft' }, 1)).toEqual([ids[1], ids[3]]);
    expect(await idsOf(path, { status: 'open' }, 1)).toEqual([ids[0], ids[4]]);
    expect(await idsOf(path, { status: 'closed' })).toEqual([ids[2]]);
    expect(await idsOf(path, { status: 'archived' })).toEqual([]);
    const since = { status: 'open', updatedSince: '2020-01-01T00:00:00Z' };
    expect(await idsOf(path, since, 1)).toEqual([ids[0], ids[4]]);
  });
});

describe('updatedSince', () => {
  test.each(['ticket-types', 'addons', 'bundles'])(
    'lists %s by their last change',
    async (list) => {
      const path = `${event}/${list}`;
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.push(await create(path, { name: `${n}`, sortOrder: 9 - n }));
      expect(await idsOf(path, { updatedSince: '2020-01-01T00:00:00Z' })).toEqual(ids);
      const since = await catalog.timeAfterChanges();
      expect(await idsOf(path, { updatedSince: since })).toEqual([]);
      for (const n of [2, 0, 2])
        await patch(`${path}/${ids[n]}`, { name: `again ${Math.random()}` });
      expect(await idsOf(path, { updatedSince: since }, 1)).toEqual([ids[0], ids[2]]);
    },
  );

  test('lists events by their last change, from an inclusive instant', async () => {
    const ids = [event.split('/').at(-1) as string];
    for (let n = 0; n < 3; n++)
      ids.push(await create('/v1/events', { name: 'x', timezone: 'UTC' }));
    await patch(`/v1/events/${ids[1]}`, { name: 'y' });
    const [row] = await catalog.sql<{ version: string }>(
      'select version from catalog.event where id = $1',
      [ids[1]],
    );
    const at = Math.floor(Number(row?.version) / 1000);
    const exactly = new Date(at).toISOString();
    await catalog.sql('update catalog.event set version = $2 where id = $1', [ids[1], at * 1000]);
    expect(await idsOf('/v1/events', { updatedSince: exactly })).toEqual([ids[1]]);
    const later = new Date(at + 1).toISOString();
    expect(await idsOf('/v1/events', { updatedSince: later })).toEqual([]);
    const offset = exactly.replace('Z', '+00:00');
    expect(await idsOf('/v1/events', { updatedSince: offset })).toEqual([ids[1]]);
  });
});

describe('an updatedSince whose + is not encoded', () => {
  test('returns 400 with a hint at the encoding', async () => {
    const { status, body } = await call('GET', '/v1/events?updatedSince=2027-01-01T00:00:00+02:00');
    const issue = 'must be sent with the + of its offset encoded as %2B';
    expect([status, body.error.message]).toEqual([400, `updatedSince ${issue}`]);
    expect(body.error.details).toEqual([{ field: 'updatedSince', issue, code: 'invalid_format' }]);
  });
});

describe.each(['/v1/events', 'ticket-types', 'addons', 'bundles'])('the query of %s', (name) => {
  const pathOf = () => (name.startsWith('/') ? name : `${event}/${name}`);

  test('is rejected with an unknown value, a repeated parameter or a cursor of other filters', async () => {
    const path = pathOf();
    const since = 'updatedSince=2020-01-01T00:00:00Z';
    if (name !== 'bundles') {
      expect(await refusedField(`${path}?status=unknown`)).toEqual([400, 'status']);
      expect(await refusedField(`${path}?status=`)).toEqual([400, 'status']);
      expect(await refusedField(`${path}?status=draft&status=draft`)).toEqual([400, 'status']);
    }
    expect(await refusedField(`${path}?${since}&${since}`)).toEqual([400, 'updatedSince']);
    expect(await refusedField(`${path}?updatedSince=now`)).toEqual([400, 'updatedSince']);
    const body = { name: 'One', ...(name.startsWith('/') && { timezone: 'UTC' }) };
    for (let n = 0; n < 2; n++) await create(path, body);
    const filters = ['', since, ...(name === 'bundles' ? [] : ['status=draft'])];
    for (const filter of filters) {
      const page = succeeded<{ nextCursor: string }>(
        await call('GET', `${path}?limit=1&${filter}`),
      );
      expect(page.nextCursor).toEqual(expect.any(String));
      for (const used of filters.filter((each) => each !== filter)) {
        const query = `cursor=${page.nextCursor}&${used}`;
        expect(await refusedField(`${path}?${query}`)).toEqual([400, 'cursor']);
      }
    }
  });
});
