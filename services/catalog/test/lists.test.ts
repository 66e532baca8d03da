import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestEvent,
  createTestTicketType,
  type EventBody,
  pathOf,
  succeeded,
} from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.close());

interface Lister {
  call: HttpClient;
  path: string;
  key: 'events' | 'ticketTypes';
  /**
   * Inserts this number of rows with SQL, in groups of three equal sort keys. Returns their ids in
   * list order.
   */
  fill(count: number): Promise<string[]>;
}

const insertEvents = `insert into catalog.event (id, business_unit_id, public_id, name, timezone, currency, created_at)
  select id, $2, id, 'Summit', 'UTC', 'EUR', timestamptz '2027-01-01Z' - interval '1 ms' * ((n - 1) / 3)
  from unnest($1::text[]) with ordinality as row (id, n)`;

const insertTicketTypes = `insert into catalog.ticket_type
  (id, business_unit_id, event_id, name, description, allow_waitlist, is_public, requires_approval, price_amount, sort_order, created_at)
  select id, $2, $3, 'Early bird', $4, false, true, false, 0, (n - 1) / 6,
    timestamptz '2027-01-01Z' + interval '1 ms' * (((n - 1) / 3) % 2)
  from unnest($1::text[]) with ordinality as row (id, n)`;

const byThrees = (ids: string[], descending: boolean) =>
  Array.from({ length: Math.ceil(ids.length / 3) }, (_, i) =>
    ids.slice(i * 3, i * 3 + 3).sort((a, b) => (a < b === descending ? 1 : -1)),
  ).flat();

async function events(): Promise<Lister> {
  const unit = newId('unit');
  const fill = async (count: number) => {
    const ids = Array.from({ length: count }, () => newId('evt'));
    await catalog.sql(insertEvents, [ids, unit]);
    return byThrees(ids, true);
  };
  return { call: await catalog.as(unit), path: '/v1/events', key: 'events', fill };
}

async function ticketTypes(description: string | null = null): Promise<Lister> {
  const unit = newId('unit');
  const call = await catalog.as(unit);
  const { id } = await createTestEvent(call);
  const fill = async (count: number) => {
    const ids = Array.from({ length: count }, () => newId('tt'));
    await catalog.sql(insertTicketTypes, [ids, unit, id, description]);
    return byThrees(ids, false);
  };
  return { call, path: `/v1/events/${id}/ticket-types`, key: 'ticketTypes', fill };
}

type Page = { ids: string[]; nextCursor: string | null };

async function pageOf({ call, path, key }: Lister, query = ''): Promise<Page> {
  const body = succeeded<Record<string, { id: string }[]>>(await call('GET', `${path}${query}`));
  expect(Object.keys(body)).toEqual([key, 'nextCursor']);
  return { ids: (body[key] ?? []).map(({ id }) => id), nextCursor: body.nextCursor as never };
}

async function allPages(list: Lister, limit: string): Promise<Page['ids'][]> {
  const pages: Page['ids'][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { ids, nextCursor } = await pageOf(list, `?${limit}${cursor && `&cursor=${cursor}`}`);
    pages.push(ids);
    cursor = nextCursor;
  }
  return pages;
}

const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');

describe.each([
  ['events', events],
  ['ticket types', () => ticketTypes()],
])('a list of %s', (_what, createLister) => {
  test('is empty and has no next page without records', async () => {
    expect(await pageOf(await createLister())).toEqual({ ids: [], nextCursor: null });
  });

  test.each([1, 2, 3, 5, 19, 20, 21])('has no gap and no repeat in pages of %i', async (limit) => {
    const list = await createLister();
    const ids = await list.fill(20);
    const pages = await allPages(list, `limit=${limit}`);
    expect(pages.flat()).toEqual(ids);
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(pages).toHaveLength(Math.ceil(20 / limit));
  });

  test('has at most 1000 rows in a page, for a larger limit and by default', async () => {
    const list = await createLister();
    const ids = await list.fill(1001);
    for (const query of ['', '?limit=1000', '?limit=1001', '?limit=99999999999999999999']) {
      const page = await pageOf(list, query);
      expect(page.ids).toEqual(ids.slice(0, 1000));
      expect(page.nextCursor).not.toBeNull();
    }
    expect((await pageOf(list, '?limit=999')).ids).toHaveLength(999);
  });

  test.each(['0', '-1', 'abc', '1e2', '1.5', '', '%201', '0x10', '9'.repeat(101)])(
    'rejects limit=%s with one 400',
    async (limit) => {
      const { call, path } = await createLister();
      const { status, body } = await call('GET', `${path}?limit=${limit}`);
      expect(status).toBe(400);
      expect(body.error.details).toHaveLength(1);
      expect(body.error.details[0].field).toBe('limit');
    },
  );

  test.each(['limit', 'cursor'])('rejects a repeated %s', async (name) => {
    const { call, path } = await createLister();
    const { status, body } = await call('GET', `${path}?${name}=1&${name}=1`);
    expect([status, body.error.details[0].field]).toEqual([400, name]);
  });

  test.each([
    '',
    'garbage',
    '%00',
    'x'.repeat(3000),
    cursorOf([]),
    cursorOf(null),
    cursorOf(['not a time', 'id']),
    cursorOf([0, 'not a time', 'id']),
    cursorOf(['2027-01-01T00:00:00.000Z', '\0']),
    cursorOf([2 ** 31, '2027-01-01T00:00:00.000Z', 'id']),
    cursorOf(['0000-01-01T00:00:00.000Z', 'id']),
  ])('rejects an invalid cursor: %s', async (cursor) => {
    const { call, path } = await createLister();
    const { status, body } = await call('GET', `${path}?cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: 'cursor' }]);
  });

  test('rejects unknown parameters with 400 and names the supported ones', async () => {
    const { call, path } = await createLister();
    const { status, body } = await call('GET', `${path}?offset=1&order=desc`);
    expect(status).toBe(400);
    const issue = expect.stringMatching(/^is not a known parameter; .*`limit`.*`cursor`/);
    expect(body.error.details).toEqual(
      ['offset', 'order'].map((field) => ({ field, issue, code: 'unknown_parameter' })),
    );
  });

  test('continues at the cursor after concurrent inserts and deletes', async () => {
    const list = await createLister();
    const ids = await list.fill(6);
    const first = await pageOf(list, '?limit=3');
    for (const table of ['event', 'ticket_type']) {
      await catalog.sql(`delete from catalog.${table} where id = $1`, [ids[2]]);
    }
    const second = await pageOf(list, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.ids, ...second.ids]).toEqual(ids);
  });
});

test('rejects the cursor of another list', async () => {
  const [eventList, typeList] = [await events(), await ticketTypes()];
  await Promise.all([eventList.fill(2), typeList.fill(2)]);
  const ofEvents = (await pageOf(eventList, '?limit=1')).nextCursor;
  const ofTypes = (await pageOf(typeList, '?limit=1')).nextCursor;
  expect((await eventList.call('GET', `${eventList.path}?cursor=${ofTypes}`)).status).toBe(400);
  expect((await typeList.call('GET', `${typeList.path}?cursor=${ofEvents}`)).status).toBe(400);
});

test('ends a page before it is larger than 2 MiB', async () => {
  const list = await ticketTypes('😀'.repeat(2000));
  const ids = await list.fill(300);
  const pages = await allPages(list, 'limit=1000');
  expect(pages.flat()).toEqual(ids);
  expect(pages).toHaveLength(2);
  const response = await list.call('GET', list.path);
  const bytes = Number(response.headers['content-length']);
  expect(bytes).toBeLessThan(2 * 1024 * 1024 + 100);
  expect(bytes).toBeGreaterThan(2 * 1024 * 1024 - 10_000);
});

test('returns events newest first and ticket types by sort order, then oldest first', async () => {
  const call = await catalog.as(newId('unit'));
  const created: EventBody[] = [];
  for (let i = 0; i < 3; i++) created.push(await createTestEvent(call));
  const list = succeeded<{ events: EventBody[] }>(await call('GET', '/v1/events'));
  expect(list.events).toEqual(created.toReversed());
  const [event] = created as [EventBody];
  const types = [];
  for (const sortOrder of [2, 1, 1, 0])
    types.push(await createTestTicketType(call, event, { sortOrder }));
  const response = await call('GET', `${pathOf(event)}/ticket-types`);
  const [last, second, third, first] = types;
  expect(succeeded(response)).toEqual({
    ticketTypes: [first, second, third, last],
    nextCursor: null,
  });
});

test('never returns records of another business unit or another event', async () => {
  const [mine, theirs] = await Promise.all([events(), events()]);
  const [myIds] = await Promise.all([mine.fill(2), theirs.fill(2)]);
  expect((await pageOf(mine)).ids).toEqual(myIds);
  const cursor = (await pageOf(theirs, '?limit=1')).nextCursor;
  const { ids } = await pageOf(mine, `?cursor=${cursor}`);
  expect(myIds).toEqual(expect.arrayContaining(ids));
  const [one, other] = [await createTestEvent(mine.call), await createTestEvent(mine.call)];
  await createTestTicketType(mine.call, one);
  const list = succeeded(await mine.call('GET', `${pathOf(other)}/ticket-types`));
  expect(list).toEqual({ ticketTypes: [], nextCursor: null });
});
