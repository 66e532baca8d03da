import { type EventStatus, eventStatuses } from '@event-api/contracts/http/events';
import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { newId } from '@event-api/platform/core/ids';
import { changeTypesOf, typesOf, writtenChanges } from '@event-api/platform/testing/changes';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTransitions } from '../src/events/events.rules.ts';
import { saleTransitions } from '../src/patches/patches.rules.ts';
import { createTestEvent, createTestTicketType, pathOf, succeeded } from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: HttpClient;
beforeAll(async () => {
  catalog = await startCatalog();
  call = await catalog.as(newId('unit'));
});
afterAll(() => catalog?.close());

const changesOf = (...ids: string[]) => writtenChanges(catalog, 'catalog', ids);

/** The versions that the rows of a table have now. */
async function versionOf(table: string, id: string): Promise<number> {
  const [row] = await catalog.sql<{ version: string }>(
    `select version from catalog.${table} where id = $1`,
    [id],
  );
  return Number(row?.version);
}

const state = (status: string | null) => ({ status });

describe('an event', () => {
  const startsAt = '2027-05-10T09:00:00+02:00';

  test('reports its creation with its first state, its version and the key', async () => {
    const { id } = await createTestEvent(call);
    expect(await changesOf(id)).toEqual([
      {
        id: expect.stringMatching(/^chg_/),
        type: 'event.created',
        eventId: id,
        object: { type: 'event', id, version: await versionOf('event', id) },
        previous: null,
        current: state('draft'),
        actor: { type: 'key', id: '' },
      },
    ]);
  });

  const ways: Record<EventStatus, EventStatus[]> = {
    draft: [],
    published: ['published'],
    archived: ['archived'],
  };
  const eventMoves = eventStatuses.flatMap((from) =>
    eventTransitions[from].map((to) => [from, to] as const),
  );

  test.each(eventMoves)('reports the move from %s to %s', async (from, to) => {
    const event = await createTestEvent(call, { startsAt });
    for (const status of ways[from]) {
      succeeded(await call('PATCH', pathOf(event), { body: { status } }));
    }
    const before = await changesOf(event.id);
    succeeded(await call('PATCH', pathOf(event), { body: { status: to } }));
    expect((await changesOf(event.id)).slice(before.length)).toMatchObject([
      {
        type: `event.${to}`,
        previous: state(from),
        current: state(to),
        object: { version: await versionOf('event', event.id) },
      },
    ]);
  });

  test('reports an update without a move, and nothing for a repeat', async () => {
    const event = await createTestEvent(call);
    for (let turn = 0; turn < 2; turn++) {
      succeeded(await call('PATCH', pathOf(event), { body: { name: 'Renamed' } }));
    }
    expect((await changesOf(event.id)).slice(1)).toMatchObject([
      { type: 'event.updated', previous: state('draft'), current: state('draft') },
    ]);
  });

  test('reports the reset of its agenda besides its own change', async () => {
    const event = await createTestEvent(call, { startsAt });
    const body = { startsAt: '2027-06-10T09:00:00+02:00', confirmAgendaReset: true };
    succeeded(await call('PATCH', pathOf(event), { body: { ...body, status: 'published' } }));
    expect((await changesOf(event.id)).slice(1)).toMatchObject([
      { type: 'event.published', previous: state('draft'), current: state('published') },
      { type: 'event.agenda_reset', previous: state('published'), current: state('published') },
    ]);
  });

  test('reports nothing for a rejected update', async () => {
    const event = await createTestEvent(call);
    const rejected = await call('PATCH', pathOf(event), { body: { status: 'published' } });
    expect(rejected.status).toBe(400);
    expect(await changesOf(event.id)).toHaveLength(1);
  });

  test('reports new features once, with the command line as the actor', async () => {
    const event = await createTestEvent(call);
    const [scope] = await catalog.sql<{ unit: string }>(
      'select business_unit_id as unit from catalog.event where id = $1',
      [event.id],
    );
    const operator = await catalog.asOperator();
    const body = { businessUnitId: scope?.unit, eventId: event.id, features: ['livestream'] };
    for (let turn = 0; turn < 2; turn++) {
      succeeded(await operator('POST', '/operator/event.setFeatures', { body }));
    }
    expect((await changesOf(event.id)).slice(1)).toMatchObject([
      { type: 'event.updated', actor: { type: 'cli', id: null } },
    ]);
  });

  test('reports nothing for a retry of its creation', async () => {
    const headers = { 'idempotency-key': newId('req') };
    const body = { name: 'Once', timezone: 'UTC' };
    const first = await call('POST', '/v1/events', { body, headers });
    const second = await call('POST', '/v1/events', { body, headers });
    expect(second.body.id).toBe(first.body.id);
    expect(await changesOf(String(first.body.id))).toHaveLength(1);
  });
});

const ways = { draft: [], open: ['open'], closed: ['open', 'closed'], archived: ['archived'] };
const kinds = [
  ['ticket_type', 'ticket-types'],
  ['addon', 'addons'],
  ['bundle', 'bundles'],
] as const;
const moveNames = { draft: 'updated', open: 'opened', closed: 'closed', archived: 'archived' };
const moves = kinds.flatMap(([kind, path]) =>
  saleStatuses.flatMap((from) =>
    saleTransitions[from].map((to) => [kind, from, to, path, ways[from]] as const),
  ),
);

describe('a ticket type, an add-on or a bundle', () => {
  test.each(moves)('%s reports the move from %s to %s', async (kind, from, to, path, way) => {
    const event = await createTestEvent(call);
    const created = await call('POST', `${pathOf(event)}/${path}`, {
      body: { name: 'Early bird' },
    });
    const { id } = succeeded<{ id: string }>(created, 201);
    const record = `${pathOf(event)}/${path}/${id}`;
    for (const status of way) succeeded(await call('PATCH', record, { body: { status } }));
    const before = await changesOf(id);
    expect(before).toHaveLength(1 + way.length);
    expect(before[0]).toMatchObject({
      type: `${kind}.created`,
      previous: null,
      current: state('draft'),
    });
    succeeded(await call('PATCH', record, { body: { status: to } }));
    expect((await changesOf(id)).slice(before.length)).toMatchObject([
      {
        type: `${kind}.${moveNames[to]}`,
        eventId: event.id,
        previous: state(from),
        current: state(to),
        object: { version: await versionOf(kind, id) },
      },
    ]);
  });

  test.each(kinds)(
    '%s reports an update once, and nothing for a rejected move',
    async (kind, path) => {
      const event = await createTestEvent(call);
      const created = await call('POST', `${pathOf(event)}/${path}`, {
        body: { name: 'Early bird' },
      });
      const { id } = succeeded<{ id: string }>(created, 201);
      const record = `${pathOf(event)}/${path}/${id}`;
      for (let turn = 0; turn < 2; turn++) {
        succeeded(await call('PATCH', record, { body: { priceAmount: 500 } }));
      }
      expect((await call('PATCH', record, { body: { status: 'closed' } })).status).toBe(400);
      expect((await changesOf(id)).slice(1)).toMatchObject([
        { type: `${kind}.updated`, previous: state('draft'), current: state('draft') },
      ]);
    },
  );
});

test('a bundle reports its creation, its updates and new items, each once', async () => {
  const event = await createTestEvent(call);
  const ticketType = await createTestTicketType(call, event);
  const item = { itemType: 'registration_type', itemId: ticketType.id, quantity: 1 };
  const created = await call('POST', `${pathOf(event)}/bundles`, {
    body: { name: 'Family', items: [item] },
  });
  const { id } = succeeded<{ id: string }>(created, 201);
  const record = `${pathOf(event)}/bundles/${id}`;
  const versions = [await versionOf('bundle', id)];
  for (let turn = 0; turn < 2; turn++) {
    succeeded(await call('PATCH', record, { body: { priceAmount: 100 } }));
  }
  versions.push(await versionOf('bundle', id));
  for (let turn = 0; turn < 2; turn++) {
    succeeded(await call('PUT', `${record}/items`, { body: [{ ...item, quantity: 2 }] }));
  }
  versions.push(await versionOf('bundle', id));
  expect(await changesOf(id)).toMatchObject([
    { type: 'bundle.created', previous: null, current: state('draft') },
    { type: 'bundle.updated', previous: state('draft'), current: state('draft') },
    { type: 'bundle.updated', previous: state('draft'), current: state('draft') },
  ]);
  expect((await changesOf(id)).map(({ object }) => object.version)).toEqual(versions);
});

test('no change contains a name', async () => {
  const name = 'Canary of the change feed';
  const event = await createTestEvent(call, { name });
  await createTestTicketType(call, event, { name });
  expect(JSON.stringify(await writtenChanges(catalog, 'catalog'))).not.toContain(name);
});

test('every type of change of catalog is reported by a test of this file', async () => {
  const seen = typesOf(await writtenChanges(catalog, 'catalog'));
  expect(seen).toEqual(changeTypesOf('event', 'ticket_type', 'addon', 'bundle'));
});
