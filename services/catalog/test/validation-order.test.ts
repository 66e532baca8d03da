import { apiOperations } from '@event-api/contracts/http/operations';
import { newId } from '@event-api/platform/core/ids';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestEvent,
  createTestTicketType,
  type EventBody,
  type TicketTypeBody,
} from './fixtures.ts';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: HttpClient;
let anonymous: HttpClient;
let mine: { event: EventBody; type: TicketTypeBody; otherType: TicketTypeBody };
let theirs: { event: EventBody; type: TicketTypeBody };

beforeAll(async () => {
  catalog = await startCatalog();
  call = await catalog.as(newId('unit'));
  anonymous = httpClient(catalog.apiUrl);
  const stranger = await catalog.as(newId('unit'));
  const [event, otherEvent] = [await createTestEvent(call), await createTestEvent(call)];
  const type = await createTestTicketType(call, event);
  mine = { event, type, otherType: await createTestTicketType(call, otherEvent) };
  const theirEvent = await createTestEvent(stranger);
  theirs = { event: theirEvent, type: await createTestTicketType(stranger, theirEvent) };
});
afterAll(() => catalog?.close());

/** Each operation on events and ticket types with an id in its path, and a valid body. */
const operations = [
  ['GET', '/v1/events/{event}', undefined],
  ['PATCH', '/v1/events/{event}', {}],
  ['POST', '/v1/events/{event}/archive', undefined],
  ['GET', '/v1/events/{event}/ticket-types', undefined],
  ['POST', '/v1/events/{event}/ticket-types', { name: 'VIP' }],
  ['GET', '/v1/events/{event}/ticket-types/{type}', undefined],
  ['PATCH', '/v1/events/{event}/ticket-types/{type}', {}],
] as const;

const at = (path: string, event: string, type: string) =>
  path.replace('{event}', event).replace('{type}', type);

/** Returns a response without the values that differ per request. */
function comparable({ status, headers, body }: TestResponse) {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, body };
}

const impossible = [
  'x',
  '%00',
  '..',
  'x'.repeat(300),
  `${'0'.repeat(26)}`,
  '%ED%A0%80',
  "'--",
  '%20',
];

describe.each(operations)('%s %s', (method, path, body) => {
  test('returns an identical 404 for an unknown id, another business unit and a malformed id', async () => {
    const missing = comparable(await call(method, at(path, newId('evt'), newId('tt')), { body }));
    expect(missing).toEqual({
      status: 404,
      headers: expect.any(Object),
      body: { error: { code: 404, status: 'NOT_FOUND', message: 'Not found' } },
    });
    expect(Object.keys(missing.headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'keep-alive',
    ]);
    const ids: [string, string][] = [
      [theirs.event.id, theirs.type.id],
      ...impossible.filter((id) => id !== '..').map((id): [string, string] => [id, id]),
    ];
    if (path.includes('{type}')) {
      ids.push([mine.event.id, newId('tt')]);
      ids.push([mine.event.id, theirs.type.id]);
      ids.push([mine.event.id, mine.otherType.id]);
      ids.push([theirs.event.id, mine.type.id]);
      ids.push([mine.event.id, '%00']);
    }
    for (const [event, type] of ids) {
      const response = await call(method, at(path, event, type), { body });
      expect(comparable(response), `${event} ${type}`).toEqual(missing);
    }
  });

  test('checks the caller before the record', async () => {
    for (const { event, type } of [theirs, mine]) {
      const response = await anonymous(method, at(path, event.id, type.id), { body });
      expect(response.status).toBe(401);
    }
  });

  if (method === 'GET') {
    test('checks the record before the query', async () => {
      const query = '?limit=nonsense&cursor=%00';
      const response = await call(method, at(path, theirs.event.id, theirs.type.id) + query);
      expect(response.status).toBe(404);
    });
    return;
  }

  const bodies = [
    ['malformed JSON', '{"name":', 'application/json', 400],
    ['another type', '<name/>', 'text/xml', 415],
    ['wrong fields', '{"name":5}', 'application/json', 400],
  ] as const;

  test.each(bodies)('judges the record before a body of %s', async (_what, raw, type, own) => {
    const headers = { 'content-type': type };
    const foreign = at(path, theirs.event.id, theirs.type.id);
    expect((await anonymous(method, foreign, { raw, headers })).status).toBe(401);
    expect((await call(method, foreign, { raw, headers })).status).toBe(404);
    const fresh = path.endsWith('archive') ? (await createTestEvent(call)).id : mine.event.id;
    const response = await call(method, at(path, fresh, mine.type.id), { raw, headers });
    expect(response.status).toBe(own);
  });
});

test('covers every operation on events and ticket types with an id in its path', () => {
  const named = apiOperations
    .filter(({ config }) => config.owner === 'catalog')
    .filter(({ config, url }) => /^(Events|Ticket types)$/.test(config.tag) && url.includes('/:'))
    .map(({ method, url }) => `${method} ${url}`);
  const covered = operations.map(
    ([method, path]) =>
      `${method} ${path.replace('{event}', ':eventId').replace('{type}', ':typeId')}`,
  );
  expect(covered.sort()).toEqual(named.sort());
});

test('validates the body before business rules', async () => {
  const event = await createTestEvent(call);
  await call('POST', `/v1/events/${event.id}/archive`);
  const path = `/v1/events/${event.id}/ticket-types`;
  expect((await call('POST', path, { body: { name: '' } })).status).toBe(400);
  expect((await call('POST', path, { body: { name: 'x' } })).status).toBe(412);
});

describe('a body of an operation', () => {
  const good = '"name":"Summit","timezone":"UTC"';

  test.each([
    ['null', 'null'],
    ['an array', `[{${good}}]`],
    ['a string', '"{}"'],
    ['a number', '5'],
    ['a byte order mark and JSON', `\ufeff{${good}}`],
    ['bytes that are not UTF-8', Buffer.from(`{${good},"x":"\xff"}`, 'latin1')],
    ['arrays in each other', `{${good},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('that is %s returns 400', async (_what, raw) => {
    for (const path of ['/v1/events', `/v1/events/${mine.event.id}/ticket-types`]) {
      const { status, body } = await call('POST', path, { raw });
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: 'body' }]);
    }
  });

  test('that is empty returns 400 with the required fields', async () => {
    const fieldsAt = async (path: string) => {
      const { status, body } = await call('POST', path, { raw: '' });
      return [status, body.error.details.map(({ field }: { field: string }) => field)];
    };
    expect(await fieldsAt('/v1/events')).toEqual([400, ['name', 'timezone']]);
    expect(await fieldsAt(`/v1/events/${mine.event.id}/ticket-types`)).toEqual([400, ['name']]);
  });

  test('that is missing with its type returns 400', async () => {
    expect((await call('POST', '/v1/events')).status).toBe(400);
    expect((await call('PATCH', `/v1/events/${mine.event.id}`)).status).toBe(400);
  });

  test('that contains `constructor` returns 400, like any unknown field', async () => {
    const raw = `{${good},"constructor":{"prototype":{"status":"published"}}}`;
    const { status, body } = await call('POST', '/v1/events', { raw });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field: 'constructor', code: 'unknown_field' }]);
  });

  test('with a duplicate field uses the last value', async () => {
    const { status, body } = await call('POST', '/v1/events', { raw: `{"name":5,${good}}` });
    expect([status, body.name]).toEqual([201, 'Summit']);
  });
});
