import { apiOperations } from '@event-api/contracts/http/operations';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from '../harness.ts';
import { exchange, expectEnvelope, request } from '../raw.ts';

let gateway: TestGateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let goodSecret: string;
/** The `Authorization` header of every kind of bad key; undefined sends none. */
let badKeys: Record<string, string | undefined>;

const unknownSecret = `sk_live_${'Zz0'.repeat(10)}Zz`;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ catalogUrl: upstream.url });
  const good = await gateway.createKey();
  const revoked = await gateway.createKey({ rateLimitPerMinute: 5 });
  const usedThenRevoked = await gateway.createKey();
  const expired = await gateway.createExpiredKey();
  expect((await usedThenRevoked.client('GET', '/v1/events')).status).toBe(200);
  for (const { key } of [revoked, usedThenRevoked]) await gateway.run('key.revoke', { id: key.id });
  await eventually(async () => {
    expect((await usedThenRevoked.client('GET', '/v1/events')).status).toBe(401);
  });
  // Pinned to another version, which a response must not reveal.
  const { id } = revoked.key;
  await gateway.sql?.("update gateway.api_key set version = '2020-02-02' where id = $1", [id]);
  goodSecret = good.secret;
  badKeys = {
    missing: undefined,
    unknown: `Bearer ${unknownSecret}`,
    'revoked, pinned and limited': `Bearer ${revoked.secret}`,
    'revoked after use': `Bearer ${usedThenRevoked.secret}`,
    expired: `Bearer ${expired.secret}`,
    empty: '',
    'without a secret': 'Bearer',
    'cut by one': `Bearer ${goodSecret.slice(0, -1)}`,
    'longer by one': `Bearer ${goodSecret}x`,
    'in the wrong case': `Bearer ${goodSecret.toUpperCase()}`,
    '10 KB long': `Bearer sk_live_${'a'.repeat(10_240)}`,
    'twice in one header': `Bearer ${goodSecret}, Bearer ${goodSecret}`,
    'without a scheme': goodSecret,
    'of another scheme': `Basic ${Buffer.from(`${goodSecret}:`).toString('base64')}`,
    'with bytes beyond ASCII': `Bearer ${goodSecret}\u00e9`,
    'as SQL': "Bearer ' or 1=1 --",
  };
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

const send = async (line: string, authorization: string | undefined, toHead = false) => {
  const headers = ['Host: gateway', 'Connection: close'];
  if (authorization !== undefined) headers.push(`Authorization: ${authorization}`);
  const bytes = Buffer.from(request(`${line} HTTP/1.1`, headers), 'latin1');
  const [response] = await exchange(gateway.apiUrl, bytes, { toHead });
  return response;
};

const withoutIdAndDate = (head = '') =>
  head.replace(/req_[0-9a-z]{26}/, 'req_').replace(/\r\ndate: [^\r]*/i, '');

const places = [
  ...apiOperations.map(({ method, url }) => `${method} ${url.replace(/:\w+/g, 'some_id')}`),
  'GET /v1',
  'GET /v1/',
  'GET /v1/nothing/here',
  'POST /v1/nothing',
  'DELETE /v1/events',
  'OPTIONS /v1/events',
  'TRACE /v1/events',
  'PROPFIND /v1/events/some_id',
  'GET /v1/%ff',
  'GET /v1/events/..%2f..%2fopenapi.json',
];

describe('401', () => {
  test.each(places)('%s returns identical bytes for every kind of bad key', async (line) => {
    const reference = await send(line, undefined);
    expectEnvelope(reference, 401, 'UNAUTHENTICATED');
    expect(reference?.headers['www-authenticate']).toBe('Bearer');
    const revealing = /ratelimit|^allow$|retry-after/;
    expect(Object.keys(reference?.headers ?? {}).filter((name) => revealing.test(name))).toEqual(
      [],
    );
    for (const [kind, authorization] of Object.entries(badKeys)) {
      const response = await send(line, authorization);
      expect(response?.body, kind).toBe(reference?.body);
      expect(withoutIdAndDate(response?.head), kind).toBe(withoutIdAndDate(reference?.head));
    }
  });

  test('returns the headers of GET for HEAD, without a body', async () => {
    const get = await send('GET /v1/events', badKeys.unknown);
    const head = await send('HEAD /v1/events', badKeys.expired, true);
    expect(withoutIdAndDate(head?.head)).toBe(withoutIdAndDate(get?.head));
  });

  test('comes before every other error of the request', async () => {
    const noKey = httpClient(gateway.apiUrl);
    const headers = { 'service-version': 'nonsense', 'content-type': 'text/plain' };
    const response = await noKey('POST', '/v1/events', { raw: '{', headers });
    expect(expectEnvelope(response, 401).message).toBe('A valid API key is required');
  });

  test('reaches no service', async () => {
    const before = upstream.received.length;
    for (const authorization of Object.values(badKeys)) await send('GET /v1/events', authorization);
    expect(upstream.received.length).toBe(before);
  });
});

describe('a valid key', () => {
  test.each([
    ['as documented', (secret: string) => `Bearer ${secret}`],
    ['with a lower-case scheme', (secret: string) => `bearer ${secret}`],
    ['with an upper-case scheme', (secret: string) => `BEARER ${secret}`],
    ['after several spaces', (secret: string) => `Bearer   ${secret}`],
  ])('is accepted %s', async (_, header) => {
    expect((await send('GET /v1/events', header(goodSecret)))?.status).toBe(200);
  });

  test('is rejected together with another one, in any order', async () => {
    const two = (first: string, second: string) =>
      exchange(
        gateway.apiUrl,
        request('GET /v1/events HTTP/1.1', [
          'Host: gateway',
          `Authorization: Bearer ${first}`,
          `Authorization: Bearer ${second}`,
        ]),
      );
    expect((await two(goodSecret, unknownSecret))[0]?.status).toBe(401);
    expect((await two(goodSecret, goodSecret))[0]?.status).toBe(401);
    expect((await two(unknownSecret, goodSecret))[0]?.status).toBe(401);
  });

  test('with a NUL returns 400 without a statement about keys', async () => {
    const response = await send('GET /v1/events', `Bearer ${goodSecret}\0`);
    expectEnvelope(response, 400, 'INVALID_ARGUMENT');
    expect(response?.headers['www-authenticate']).toBeUndefined();
  });
});
