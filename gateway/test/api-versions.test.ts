import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { VersionChange } from '../src/api-versions/change.ts';
import { createVersionRegistry } from '../src/api-versions/registry.ts';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';
import { exchange, request } from './raw.ts';

const old = '2026-08-22';
const next = '2027-03-01';

/**
 * A test change: from this version on, the `name` of events is `title`, and the stub services use
 * it.
 */
const rename: VersionChange = {
  version: next,
  description: 'An event has a title; it was a name.',
  operations: {
    createEvent: { request: renameField('name', 'title'), response: renameField('title', 'name') },
  },
};

function renameField(from: string, to: string) {
  return (body: unknown) => {
    if (typeof body !== 'object' || body === null || !(from in body)) return body;
    const { [from]: value, ...rest } = body as Record<string, unknown>;
    return { ...rest, [to]: value };
  };
}

let gateway: TestGateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let pinned: Awaited<ReturnType<TestGateway['createKey']>>;
let newer: Awaited<ReturnType<TestGateway['createKey']>>;
beforeAll(async () => {
  upstream = await startUpstream();
  const versions = createVersionRegistry([old, next], [rename]);
  gateway = await startGateway({ catalogUrl: upstream.url, versions });
  pinned = await gateway.createKey();
  newer = await gateway.createKey();
  const pin = 'update gateway.api_key set version = $2, changed_at = now() where id = $1';
  await gateway.sql?.(pin, [newer.key.id, next]);
  await eventually(async () => {
    expect((await newer.client('GET', '/v1/events')).headers['service-version']).toBe(next);
  });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.received.length = 0;
  upstream.respondWith((_, response) =>
    response.setHeader('content-type', 'application/json').end('{ "title": "Summit", "n": 1.0 }'),
  );
});

const create = (key: typeof pinned, raw: string, headers: Record<string, string> = {}) =>
  key.client('POST', '/v1/events', { raw, headers });

describe('the version of a request', () => {
  test('is the one that the key is pinned to, and every response names it', async () => {
    for (const [key, version] of [
      [pinned, old],
      [newer, next],
    ] as const) {
      for (const path of ['/v1/events', '/v1/nothing', '/v1/%ff']) {
        expect((await key.client('GET', path)).headers['service-version']).toBe(version);
      }
      expect((await key.client('DELETE', '/v1/events')).headers['service-version']).toBe(version);
    }
  });

  test('is the one in the header for this request only', async () => {
    const options = { headers: { 'service-version': next } };
    expect((await pinned.client('GET', '/v1/events', options)).headers['service-version']).toBe(
      next,
    );
    expect((await pinned.client('GET', '/v1/nothing', options)).headers['service-version']).toBe(
      next,
    );
    expect((await pinned.client('GET', '/v1/events')).headers['service-version']).toBe(old);
  });

  test('is the current one without a valid key', async () => {
    const stranger = httpClient(gateway.apiUrl);
    for (const path of ['/v1/events', '/openapi.json', '/nothing']) {
      const options = { headers: { 'service-version': old } };
      expect((await stranger('GET', path, options)).headers['service-version']).toBe(next);
    }
  });

  test('is the one that the key is pinned to on a 429, too', async () => {
    const limited = await gateway.createKey({ rateLimitPerMinute: 1 });
    await gateway.sql?.('update gateway.api_key set version = $2 where id = $1', [
      limited.key.id,
      old,
    ]);
    await limited.client('GET', '/v1/events');
    const { status, headers } = await limited.client('GET', '/v1/events');
    expect([status, headers['service-version']]).toEqual([429, old]);
  });
});

describe('an unknown version', () => {
  test.each([
    '2031-01-01',
    '2020-01-01',
    '2026-8-22',
    '20260822',
    'latest',
    `${old}, ${old}`,
    '2026-08-22T00:00:00Z',
    '2026-13-45',
  ])('%s returns 400 in the version of the key and reaches no service', async (requested) => {
    const { status, headers, body } = await pinned.client('GET', '/v1/events', {
      headers: { 'service-version': requested },
    });
    expect(status).toBe(400);
    expect(headers['service-version']).toBe(old);
    expect(body.error.details).toEqual([
      {
        field: 'Service-Version',
        issue: `must be one of the supported versions: ${old}, ${next}`,
        code: 'unknown_version',
      },
    ]);
    expect(upstream.received).toEqual([]);
  });

  test('can be an empty header or a repeated one', async () => {
    for (const lines of [
      ['Service-Version:'],
      [`Service-Version: ${old}`, `Service-Version: ${old}`],
    ]) {
      const headers = ['Host: gateway', `Authorization: Bearer ${pinned.secret}`, ...lines];
      const [response] = await exchange(
        gateway.apiUrl,
        request('GET /v1/events HTTP/1.1', headers),
      );
      expect([response?.status, response?.headers['service-version']]).toEqual([400, old]);
    }
  });

  test('is checked after the key and the limit, and before the path', async () => {
    const headers = { 'service-version': '2031-01-01' };
    const stranger = httpClient(gateway.apiUrl);
    expect((await stranger('GET', '/v1/nothing', { headers })).status).toBe(401);
    expect((await pinned.client('GET', '/v1/nothing', { headers })).status).toBe(400);
    expect((await pinned.client('DELETE', '/v1/events', { headers })).status).toBe(400);
    const limited = await gateway.createKey({ rateLimitPerMinute: 1 });
    await limited.client('GET', '/v1/events');
    expect((await limited.client('GET', '/v1/events', { headers })).status).toBe(429);
  });
});

describe('a later version', () => {
  test('changes nothing for a key that is pinned to an earlier one', async () => {
    const { body } = await create(pinned, '{"name":"Summit"}');
    expect(body).toEqual({ name: 'Summit', n: 1 });
    expect(JSON.parse(upstream.received[0]?.body ?? '')).toEqual({ title: 'Summit' });
  });

  test('is what a newer key uses, with unparsed bytes in both directions', async () => {
    const bytes = ' {"title":"a", "title":"b", "n":9007199254740993} ';
    const headers = ['Host: gateway', `Authorization: Bearer ${newer.secret}`];
    const typed = [...headers, 'Content-Type: application/json', `Content-Length: ${bytes.length}`];
    const [response] = await exchange(
      gateway.apiUrl,
      request('POST /v1/events HTTP/1.1', typed, bytes),
    );
    expect(upstream.received[0]?.body).toBe(bytes);
    expect(response?.body).toBe('{ "title": "Summit", "n": 1.0 }');
  });

  test('is selected by the header for one request', async () => {
    expect((await create(pinned, '{"title":"x"}', { 'service-version': next })).body.title).toBe(
      'Summit',
    );
    expect((await create(newer, '{"name":"x"}', { 'service-version': old })).body.name).toBe(
      'Summit',
    );
    expect((await create(newer, '{"title":"x"}')).body.title).toBe('Summit');
  });

  test('does not change operations that it does not name', async () => {
    const { body } = await pinned.client('GET', '/v1/events/evt_x');
    expect(body.title).toBe('Summit');
  });

  test('does not change errors or bodies that are not JSON objects', async () => {
    for (const raw of ['{"name":', 'null', '[]', '"name"', '3']) {
      await create(pinned, raw);
      expect(upstream.received.at(-1)?.body).toBe(raw);
    }
    const error = '{"error":{"code":400,"status":"X","message":"m"},"title":1}';
    upstream.respondWith((_, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(error),
    );
    expect((await create(pinned, '{}')).body).toEqual(JSON.parse(error));
  });
});

describe('two later versions', () => {
  const last = '2027-09-15';
  const again: VersionChange = {
    version: last,
    description: 'The title is a headline.',
    operations: {
      createEvent: {
        request: renameField('title', 'headline'),
        response: renameField('headline', 'title'),
      },
    },
  };
  let both: TestGateway;
  beforeAll(async () => {
    const versions = createVersionRegistry([old, next, last], [again, rename]);
    both = await startGateway({ catalogUrl: upstream.url, versions });
  });
  afterAll(() => both?.close());

  test('translate a request of the oldest version step by step, and its response back', async () => {
    const { client } = await both.createKey();
    upstream.respondWith((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"headline":"Summit"}'),
    );
    const response = await client('POST', '/v1/events', { body: { name: 'Summit' } });
    expect(JSON.parse(upstream.received[0]?.body ?? '')).toEqual({ headline: 'Summit' });
    expect(response.body).toEqual({ name: 'Summit' });
    const inBetween = { 'service-version': next };
    const other = await client('POST', '/v1/events', {
      body: { title: 'Summit' },
      headers: inBetween,
    });
    expect(JSON.parse(upstream.received[1]?.body ?? '')).toEqual({ headline: 'Summit' });
    expect(other.body).toEqual({ title: 'Summit' });
  });
});
