import { setTimeout as delay } from 'node:timers/promises';
import type { Operation } from '@event-api/contracts/operation';
import { processNames } from '@event-api/contracts/topology';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { brokenBodies, wrongBodies } from './bodies.ts';
import {
  type BusinessUnitFixture,
  createBusinessUnitFixture,
  everythingOf,
} from './fixtures/business-unit.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { anyMethods, impossibleIds, queryValues } from './invalid-inputs.ts';
import { type RawResponse, rawClient, stableParts } from './raw-client.ts';
import {
  bodyFor,
  createRecords,
  keyOperations,
  kindOf,
  nonexistentId,
  pathOf,
  patternsOf,
  queryOf,
  type Records,
} from './records.ts';

// Only reads and rejected requests use the records of `primary`. The last tests prove that they are
// unchanged.
let platform: PlatformFixture;
let primary: BusinessUnitFixture;
let used: BusinessUnitFixture;
let otherEvent: Records;
let before: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  primary = await createBusinessUnitFixture(platform);
  used = await createBusinessUnitFixture(platform);
  otherEvent = await createRecords(keyOperations, primary.request, primary.operate);
  before = await settledRecordsOf(primary);
});

/**
 * How long everything stays the same before the feed has reported the last record, with a margin
 * for a busy machine.
 */
const quietMs = 3000;

/** Reads all records when the feed, which follows them within a second, has stopped changing. */
async function settledRecordsOf(unit: BusinessUnitFixture): Promise<string> {
  for (let last = await everythingOf(unit); ; ) {
    await delay(quietMs);
    const next = await everythingOf(unit);
    if (next === last) return next;
    last = next;
  }
}

afterAll(async () => {
  for (const unit of [primary, used]) unit?.request.close();
});

const all = <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) =>
  Promise.all(items.map(work));

const bodyOf = (operation: Operation, records: Records) =>
  operation.schema.body && JSON.stringify(bodyFor(operation, records));

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => ({ name: operation.config.operationId, operation }));

test('every id in a path has a record to be tested with', () => {
  for (const pattern of keyOperations.flatMap(patternsOf)) expect(kindOf(pattern)).toBeDefined();
});

describe.each(named(keyOperations))('$name', ({ operation }) => {
  const { method } = operation;

  test('responds with 401 without a key', async () => {
    const stranger = rawClient(platform.baseUrl);
    const response = await stranger({ method, path: pathOf(operation, primary.records) });
    stranger.close();
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  test('accepts the smallest body of its contract', async () => {
    // A write needs its own records.
    const records =
      method === 'GET'
        ? used.records
        : await createRecords([operation], used.request, used.operate);
    const path = pathOf(operation, records) + queryOf(operation);
    const plain = await used.request({ method, path, body: bodyOf(operation, records) });
    // The last one: where a retry is acknowledged with 200, it is the status of the first request.
    const success = Object.keys(operation.schema.response).map(Number).at(-1);
    expect({ ...plain, headers: {} }).toMatchObject({ status: success });
  });

  const successes = Object.keys(operation.schema.response);
  if (successes.includes('201')) {
    test('creates a record that its Location returns', async () => {
      const records = await createRecords([operation], used.request, used.operate);
      const path = pathOf(operation, records);
      const created = await used.request({ method, path, body: bodyOf(operation, records) });
      expect(created.status).toBe(201);
      const { location = '' } = created.headers;
      const read = await used.request({ method: 'GET', path: location });
      expect(read.status).toBe(200);
      const body = JSON.parse(created.body);
      const record = body.checkin ?? body.registration ?? body.redemptionCodes?.[0] ?? body;
      // Only the response to placing an order contains `alreadyRegistered`.
      if ('alreadyRegistered' in body) {
        for (const flag of ['alreadyRegistered', 'registrationId']) delete record[flag];
      }
      // A read never contains the secret of a webhook endpoint.
      delete record.secret;
      expect(JSON.parse(read.body)).toEqual(record);
      expect(location.split('/').at(-1)).toBe(record.id);
    });
  }

  if (method === 'GET') {
    test('responds to HEAD as to GET, without a body', async () => {
      const path = pathOf(operation, primary.records) + queryOf(operation);
      const [got, head] = await all(['GET', 'HEAD'], (verb) =>
        primary.request({ method: verb, path }),
      );
      expect(head?.body).toBe('');
      expect({ ...stableParts(head as RawResponse), body: got?.body }).toEqual(
        stableParts(got as RawResponse),
      );
    });
  }
});

const withIds = keyOperations.filter(({ url }) => url.includes('/:'));

describe.each(named(withIds))('an id of $name', ({ operation }) => {
  const { method } = operation;
  const send = (records: Records, body = bodyOf(operation, primary.records)) =>
    primary.request({ method, path: pathOf(operation, records) + queryOf(operation), body });

  test.each(patternsOf(operation))(
    'returns an identical 404 if no record of the key has it: %s',
    async (pattern) => {
      const missing = await send({ ...primary.records, [pattern]: nonexistentId(pattern) });
      expect(missing.status).toBe(404);
      const ids = [used.records[pattern] ?? '', ...impossibleIds];
      // A record of the same key in another event.
      if (pattern !== patternsOf(operation)[0]) ids.push(otherEvent[pattern] ?? '');
      const responses = await all(ids, (id) => send({ ...primary.records, [pattern]: id }));
      // All ids of the path belong to the other business unit, so that they are consistent.
      responses.push(await send(used.records));
      if (operation.schema.body) {
        responses.push(...(await all(['{', '[1]'], (body) => send(used.records, body))));
      }
      expect(responses.map(stableParts)).toEqual(responses.map(() => stableParts(missing)));
    },
  );
});

const withBody = keyOperations.filter(({ schema }) => schema.body);

describe.each(named(withBody))('the body of $name', ({ operation }) => {
  const { method } = operation;

  test('with an invalid value is rejected with 400 and the field', async () => {
    const bodies = wrongBodies(operation);
    const rejected = bodies.filter(({ isAccepted }) => !isAccepted);
    expect(rejected.length).toBeGreaterThan(10);
    const path = pathOf(operation, primary.records);
    const responses = await all(rejected, ({ json }) =>
      primary.request({ method, path, body: json }),
    );
    for (const [index, { status, body }] of responses.entries()) {
      expect(status, rejected[index]?.json.slice(0, 200)).toBe(400);
      expect(JSON.parse(body).error.details[0]).toEqual({
        field: expect.any(String),
        issue: expect.any(String),
        code: expect.any(String),
      });
    }
    const records = await createRecords([operation], used.request, used.operate);
    for (const { json, isAccepted } of bodies) {
      if (isAccepted) await used.request({ method, path: pathOf(operation, records), body: json });
    }
  });

  test('is rejected with 400 if it is missing, not JSON or not UTF-8', async () => {
    const path = pathOf(operation, primary.records);
    const mayBeLeftOut = operation.schema.body?.safeParse(undefined).success;
    const broken = brokenBodies.filter((body) => body || !mayBeLeftOut);
    const responses = await all(broken, (body) => primary.request({ method, path, body }));
    expect(responses.map(({ status }) => status)).toEqual(broken.map(() => 400));
  });

  test('is rejected with 413 if larger than 1 MiB, and with 415 for another content type', async () => {
    const path = pathOf(operation, primary.records);
    const huge = { method, path, body: `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}` };
    expect((await primary.request(huge)).status).toBe(413);
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'json'];
    const responses = await all(types, (type) =>
      primary.request({ method, path, body: '{}', headers: { 'content-type': type } }),
    );
    expect(responses.map(({ status }) => status)).toEqual(types.map(() => 415));
  });
});

const withQuery = keyOperations.filter(({ schema }) => schema.querystring);

describe.each(named(withQuery))('a query parameter of $name', ({ operation }) => {
  // The lookup returns 404 for any value without a record.
  const rejections = queryOf(operation) ? [400, 404] : [400];

  test('is accepted or rejected with 400, whatever its value', async () => {
    const { querystring } = operation.schema;
    const { shape } = (
      querystring instanceof z.ZodPipe ? querystring.out : querystring
    ) as z.ZodObject;
    const parameters = Object.keys(shape);
    const path = pathOf(operation, primary.records);
    const queries = parameters.flatMap((name) => [
      ...queryValues.map((value) => `${name}=${value}`),
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}`,
    ]);
    const responses = await all(queries, (query) =>
      primary.request({ method: 'GET', path: `${path}?${query}` }),
    );
    for (const [index, { status }] of responses.entries()) {
      expect([200, ...rejections], queries[index]?.slice(0, 200)).toContain(status);
    }
    expect(responses.filter(({ status }) => rejections.includes(status)).length).toBeGreaterThan(
      parameters.length,
    );
  });
});

describe.each([...new Set(keyOperations.map(({ url }) => url))])('the path %s', (url) => {
  test('responds with 405 and the exact Allow header to other methods', async () => {
    const own = keyOperations.filter((operation) => operation.url === url);
    const allowed = new Set(
      own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    );
    // A path such as `/batch` has the form of an id, so that the methods of single records find no
    // record.
    const ofRecords = keyOperations.filter(
      (each) => each.url !== url && new RegExp(`^${each.url.replace(/:\w+/g, '[^/]+')}$`).test(url),
    );
    const served = new Set(
      ofRecords.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    );
    const others = anyMethods.filter((method) => !allowed.has(method) && !served.has(method));
    const path = pathOf({ url }, primary.records);
    const requests = others.flatMap((method) => [
      { method, path },
      { method, path, body: 'x', headers: { 'content-type': 'text/plain' } },
      { method, path, body: '{' },
    ]);
    const responses = await all(requests, primary.request);
    expect(responses.map(({ status }, index) => `${requests[index]?.method} ${status}`)).toEqual(
      requests.map(({ method }) => `${method} 405`),
    );
    for (const { headers } of responses) expect(headers.allow).toBe([...allowed].sort().join(', '));
  });
});

describe('after all tests', () => {
  test('rejected requests have changed nothing', async () => {
    expect(await everythingOf(primary)).toBe(before);
  });

  test('the logs contain no error and no secret', () => {
    const lines = platform.logLines();
    for (const name of processNames) {
      expect(lines.filter((line) => line.startsWith(`${name} {`)).length).toBeGreaterThan(0);
    }
    expect(
      lines.filter((line) => !/^[\w-]+ \{"level":"(trace|debug|info|warn)"/.test(line)),
    ).toEqual([]);
    const secrets = [primary.secret, used.secret];
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  });
});
