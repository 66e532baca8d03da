import { METHODS } from 'node:http';
import {
  apiOperations,
  claimOperations,
  forwardedOperations,
} from '@event-api/contracts/http/operations';
import { beforeEach, describe, expect, test } from 'vitest';
import { gateway, testKey, upstream, useGateway } from '../context.ts';
import { exchange, expectEnvelope, request } from '../raw.ts';

useGateway();
beforeEach(() => {
  upstream.received.length = 0;
});

const send = async (line: string, headers: string[] = [], body = '') => {
  const all = [
    'Host: gateway',
    `Authorization: Bearer ${testKey.secret}`,
    'Connection: close',
    ...headers,
  ];
  const toHead = line.startsWith('HEAD ');
  const bytes = Buffer.from(request(`${line} HTTP/1.1`, all, body), 'latin1');
  return (await exchange(gateway.apiUrl, bytes, { toHead }))[0];
};

const pathOf = (url: string) => url.replace(/:\w+/g, 'some_id');
const urls = [...new Set(apiOperations.map(({ url }) => url))];
const methodsOf = (url: string) => {
  const declared = apiOperations.filter((o) => o.url === url).map((o): string => o.method);
  return (declared.includes('GET') ? [...declared, 'HEAD'] : declared).sort();
};

describe('routes', () => {
  test.each(forwardedOperations)(
    '$method $url reaches its service under its own path',
    async (operation) => {
      const { method, url, schema } = operation;
      const body = schema.body ? '{}' : '';
      const headers = body ? ['Content-Type: application/json', 'Content-Length: 2'] : [];
      const response = await send(`${method} ${pathOf(url)}`, headers, body);
      expect(response?.status).toBe(200);
      expect(upstream.received).toMatchObject([{ method, url: pathOf(url), body }]);
    },
  );

  // CONNECT has no path, so its response does not depend on one.
  const methods = METHODS.filter((method) => method !== 'CONNECT');

  test.each(urls)('%s answers 405 with its exact Allow to every other method', async (url) => {
    const allowed = methodsOf(url);
    // A path such as `/batch` has the form of an id, so that it also has the methods of single
    // records.
    const served = urls
      .filter((other) => new RegExp(`^${other.replace(/:\w+/g, '[^/]+')}$`).test(pathOf(url)))
      .flatMap(methodsOf);
    // Browsers ask with OPTIONS before they send a claim.
    if (claimOperations.some((claim) => claim.url === url)) served.push('OPTIONS');
    for (const method of methods.filter((candidate) => !served.includes(candidate))) {
      const response = await send(`${method} ${pathOf(url)}`);
      if (method !== 'HEAD') expectEnvelope(response, 405, 'METHOD_NOT_ALLOWED');
      expect(response?.status, method).toBe(405);
      expect(response?.headers.allow, method).toBe(allowed.join(', '));
      expect(response?.headers['access-control-allow-methods']).toBeUndefined();
    }
    expect(upstream.received).toEqual([]);
  });

  test.each([
    ['PUT /v1/events', 405],
    ['POST /v1/events/some_id', 405],
    ['POST /v1/nothing', 404],
    ['PATCH /v1', 404],
  ])('%s is rejected because of path and method, not because of its body', async (line, status) => {
    for (const type of ['text/plain', 'application/json', 'a/b; charset="']) {
      const headers = [`Content-Type: ${type}`, 'Content-Length: 3'];
      expectEnvelope(await send(line, headers, '{{{'), status);
      expectEnvelope(
        await send(line, [`Content-Type: ${type}`, 'Content-Length: 2097152']),
        status,
      );
    }
  });

  test.each([
    'GET /v1',
    'GET /v1/',
    'GET /v1//events',
    'GET //v1/events',
    'GET /v1/events/',
    'GET /v1/events//ticket-types',
    'GET /v1/events/some_id/',
    'GET /V1/events',
    'GET /v1/Events',
    'GET /v1/events;x=1',
    'GET /v1/events%3Flimit=1',
    'GET /v1%2fevents',
    'GET /v1/events%2fsome_id',
    'GET /v1/../operator/unit.list',
    'GET /v1/events/../../healthz',
    'GET /v1/./events',
    'GET /internal',
    'GET /v2/events',
    'GET /%',
    'GET /v1/%',
    'GET /v1/events/%ff',
    'GET /v1/events/%e2%82',
    'GET /v1/events/some_id/nothing',
  ])('%s returns 404 and reaches no service', async (line) => {
    expectEnvelope(await send(line), 404, 'NOT_FOUND');
    expect(upstream.received).toEqual([]);
  });

  test.each([
    ['/%761/events', '/v1/events'],
    ['/v1/%65vents', '/v1/events'],
    ['/v1/events/a%5Fb', '/v1/events/a_b'],
    ['/v1/events/some_id/ticket%2dtypes', '/v1/events/some_id/ticket-types'],
  ])('%s is routed like %s', async (spelling, expected) => {
    expect((await send(`GET ${spelling}`))?.status).toBe(200);
    expect(upstream.received.map(({ url }) => url)).toEqual([expected]);
  });
});

const oddIds = [
  '%2f',
  'a%2fb',
  '..%2f..%2foperator',
  '%2e%2e%2fx',
  '%2e',
  '%2e%2e',
  '..',
  '.',
  '%5c',
  '..%5c..',
  'a%5cb',
  '..a',
  'a..',
  '...',
  '%2e%2ea',
  '%00',
  'a%00b',
  '%0d%0aX-Caller:%20me',
  '%20',
  '%25',
  '%252e%252e',
  '%252f',
  '%3f',
  '%23',
  '%c3%a9',
  '%f0%9f%8e%ab',
  '%ed%a0%80',
  '%7f',
  ':eventId',
  '*',
  '**',
  "'or'1",
  '__proto__',
  'constructor',
  'a'.repeat(300),
  'a'.repeat(8000),
  '%41'.repeat(2000),
];

describe('an id', () => {
  test.each(oddIds)('%s in a path stays one segment or is not found', async (id) => {
    for (const [line, before, after] of [
      [`GET /v1/events/${id}`, '/v1/events/', ''],
      [`POST /v1/events/${id}/archive`, '/v1/events/', '/archive'],
      [`GET /v1/events/x/ticket-types/${id}`, '/v1/events/x/ticket-types/', ''],
    ] as const) {
      upstream.received.length = 0;
      const response = await send(line);
      if (upstream.received.length === 0) {
        expectEnvelope(response, 404, 'NOT_FOUND');
        continue;
      }
      expect(response?.status).toBe(200);
      const [{ url } = { url: '' }] = upstream.received;
      const segment = url.slice(before.length, url.length - after.length);
      expect(url).toBe(before + segment + after);
      // Decoded once or twice, this path contains the same single segment.
      expect(new URL(url, 'http://service').pathname).toBe(url);
      expect(decodeURIComponent(segment)).not.toMatch(/[/\\]/);
      expect(decodeURIComponent(segment)).toBe(decodeURIComponent(id));
    }
  });
});
