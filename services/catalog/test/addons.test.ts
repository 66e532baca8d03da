import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: HttpClient;
let event: string;

beforeAll(async () => {
  catalog = await startCatalog();
  call = await catalog.as(newId('unit'));
  const created = await call('POST', '/v1/events', { body: { name: 'Summit', timezone: 'UTC' } });
  event = String(created.headers.location);
});
afterAll(() => catalog?.close());

const createAddon = (body: object) => call('POST', `${event}/addons`, { body });

/** The transitions that bring a new add-on to a status. */
const route = { draft: [], open: ['open'], closed: ['open', 'closed'], archived: ['archived'] };

const moves = {
  draft: ['open', 'archived'],
  open: ['closed', 'archived'],
  closed: ['open', 'archived'],
  archived: [],
};

describe('an add-on', () => {
  test('cannot be created open', async () => {
    const { status, body } = await createAddon({ name: 'Dinner', status: 'open' });
    expect(status).toBe(400);
    const issue = 'cannot be set here; `updateAddon` sets it';
    expect(body.error.details).toEqual([{ field: 'status', issue, code: 'read_only_field' }]);
  });

  test('is created as a draft with defaults', async () => {
    const { status, headers, body } = await createAddon({ name: ' Dinner ', status: 'draft' });
    expect(status).toBe(201);
    expect(headers.location).toBe(`${event}/addons/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      eventId: event.split('/').at(-1),
      name: 'Dinner',
      description: null,
      status: 'draft',
      capacity: null,
      opensAt: null,
      closesAt: null,
      priceAmount: 0,
      taxRateId: null,
      minPerOrder: null,
      maxPerOrder: null,
      availability: { capacity: null, sold: 0, held: 0, remaining: null },
      sortOrder: 0,
      createdAt: body.createdAt,
    });
  });

  test('requires a name of 1 to 200 characters and a price of 0 to 100000000', async () => {
    for (const body of [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'x'.repeat(201) },
      { name: 'x', priceAmount: -1 },
      { name: 'x', priceAmount: 100_000_001 },
      { name: 'x', priceAmount: '5' },
      { name: 'x', sortOrder: 10_001 },
      { name: 'x', description: 'x'.repeat(2001) },
    ]) {
      expect((await createAddon(body)).status, JSON.stringify(body).slice(0, 60)).toBe(400);
    }
    const most = { name: 'x'.repeat(200), priceAmount: 100_000_000, sortOrder: 10_000 };
    expect((await createAddon({ ...most, description: 'x'.repeat(2000) })).status).toBe(201);
  });

  for (const from of saleStatuses) {
    for (const to of saleStatuses) {
      const allowed = from === to || (moves[from] as string[]).includes(to);
      test(`${allowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async () => {
        const path = String((await createAddon({ name: 'Dinner' })).headers.location);
        for (const status of route[from]) await call('PATCH', path, { body: { status } });
        const { status, body } = await call('PATCH', path, { body: { status: to } });
        expect(status).toBe(allowed ? 200 : 400);
        if (!allowed) expect(body.error.details[0].code).toBe('invalid_transition');
        expect((await call('GET', path)).body.status).toBe(allowed ? to : from);
      });
    }
  }

  test('keeps fields that a PATCH leaves out, and clears only its description with null', async () => {
    const created = await createAddon({
      name: 'Dinner',
      description: 'Three courses',
      priceAmount: 5,
    });
    const path = String(created.headers.location);
    expect((await call('PATCH', path, { body: {} })).body).toEqual(created.body);
    const cleared = await call('PATCH', path, { body: { description: null } });
    expect(cleared.body).toEqual({ ...created.body, description: null });
    for (const field of ['name', 'priceAmount', 'sortOrder', 'status']) {
      expect((await call('PATCH', path, { body: { [field]: null } })).status, field).toBe(400);
    }
  });

  test('rejects a change once it is archived, and accepts a patch without changes', async () => {
    const path = String((await createAddon({ name: 'Dinner' })).headers.location);
    const archived = await call('PATCH', path, { body: { status: 'archived', priceAmount: 7 } });
    expect(archived.body).toMatchObject({ status: 'archived', priceAmount: 7 });
    const { status, body } = await call('PATCH', path, { body: { priceAmount: 9 } });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      {
        field: 'priceAmount',
        issue: 'cannot change, because the add-on is archived',
        code: 'invalid_transition',
      },
    ]);
    const same = { status: 'archived', priceAmount: 7 };
    expect((await call('PATCH', path, { body: same })).body).toEqual(archived.body);
  });

  test('is listed by sortOrder, then oldest first, page by page', async () => {
    const other = await call('POST', '/v1/events', { body: { name: 'Other', timezone: 'UTC' } });
    const path = `${other.headers.location}/addons`;
    for (const [name, sortOrder] of [
      ['c', 2],
      ['a', 1],
      ['d', 2],
      ['b', 1],
    ] as const) {
      await call('POST', path, { body: { name, sortOrder } });
    }
    const names: string[] = [];
    for (let cursor = '', i = 0; i < 5; i++) {
      const { body } = await call('GET', `${path}?limit=3${cursor && `&cursor=${cursor}`}`);
      names.push(...body.addons.map(({ name }: { name: string }) => name));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(names).toEqual(['a', 'b', 'c', 'd']);
  });
});
