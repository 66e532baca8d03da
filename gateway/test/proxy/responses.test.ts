import { describe, expect, test } from 'vitest';
import { gateway, testKey, upstream, useGateway } from '../context.ts';
import { exchange, expectEnvelope, request } from '../raw.ts';

useGateway();

const send = async (line: string, headers: string[] = []) => {
  const all = ['Host: gateway', `Authorization: Bearer ${testKey.secret}`, ...headers];
  const toHead = line.startsWith('HEAD');
  return (await exchange(gateway.apiUrl, request(`${line} HTTP/1.1`, all), { toHead }))[0];
};

/** Sets the bytes and headers of the service's response. */
const serve = (status: number, headers: Record<string, string | string[]>, body: string) =>
  upstream.respondWith((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });

const always = [
  'cache-control',
  'x-content-type-options',
  'content-length',
  'content-type',
  'date',
  'ratelimit',
  'ratelimit-policy',
  'request-id',
  'service-version',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const connection = ['connection', 'keep-alive'];

describe('a forwarded response', () => {
  test('is a file if the operation returns one, byte by byte and with the headers of files', async () => {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x80, 0xc3]);
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="badge.pdf"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
      etag: '"1"',
      server: 'registration',
    };
    upstream.respondWith((_, response) => response.writeHead(200, headers).end(bytes));
    const response = await fetch(
      `${gateway.apiUrl}/v1/events/evt_1/registrations/reg_1/badge?format=pdf`,
      { headers: { authorization: `Bearer ${testKey.secret}` } },
    );
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    const { etag, server, ...forwarded } = headers;
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...forwarded,
      'x-content-type-options': 'nosniff',
    });
    expect([response.headers.get('etag'), response.headers.get('server')]).toEqual([null, null]);
  });

  test('is no file if the operation returns JSON, or another type of file', async () => {
    const requests = [
      ['GET /v1/events', 'application/pdf'],
      ['GET /v1/events/evt_1/registrations/reg_1/badge', 'text/html'],
    ] as const;
    for (const [line, type] of requests) {
      serve(200, { 'content-type': type }, 'x');
      expect((await send(line))?.status).toBe(503);
    }
  });

  test('contains only the allowed headers and those of the gateway', async () => {
    const inner = {
      'set-cookie': ['a=b', 'c=d'],
      server: 'catalog/1.2',
      'x-powered-by': 'x',
      'x-internal-shard': '7',
      'x-caller': 'token',
      'x-request-id': 'req_inner',
      'request-id': 'req_inner',
      'service-version': '1999-01-01',
      connection: 'x-internal-shard',
      'keep-alive': 'timeout=999',
      etag: '"1"',
      'cache-control': 'public',
      vary: '*',
      traceparent: '00-1-2-3',
      'ratelimit-policy': '"inner";q=1;w=1',
      ratelimit: '"inner";r=0;t=1',
      'x-ratelimit-limit': '1',
      'access-control-allow-origin': '*',
      'www-authenticate': 'Inner',
      'transfer-encoding': 'chunked',
      location: '/v1/events/evt_1',
      'retry-after': '7',
      'idempotent-replayed': 'true',
    };
    serve(201, inner, '{"id":"evt_1"}');
    const response = await send('GET /v1/events');
    expect(response?.status).toBe(201);
    expect(Object.keys(response?.headers ?? {}).sort()).toEqual(
      [...always, ...connection, 'idempotent-replayed', 'location', 'retry-after'].sort(),
    );
    expect(response?.headers).toMatchObject({
      connection: 'keep-alive',
      'request-id': expect.stringMatching(/^req_[0-9a-z]{26}$/),
      'service-version': '2026-08-22',
      'x-ratelimit-limit': '1000000',
      location: '/v1/events/evt_1',
      'retry-after': '7',
      'idempotent-replayed': 'true',
    });
    expect(response?.headers['keep-alive']).not.toBe('timeout=999');
    expect(response?.headers.ratelimit).not.toContain('inner');
  });

  test.each([
    [400, '{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"m","details":[1]}}'],
    [404, '{"error":{"code":404,"status":"NOT_FOUND","message":"Not found"}}'],
    [409, ' {"error": {"code":409,"status":"ABORTED","message":"m"}}\n'],
    [412, '{"error":{"code":412,"status":"FAILED_PRECONDITION","message":"é 🎫","details":[]}}'],
    [500, '{"error":{"code":500,"status":"INTERNAL","message":"Internal error"}}'],
    [503, '{"error":{"code":503,"status":"UNAVAILABLE","message":"m"}}'],
    [504, '{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"m"}}'],
  ])("is the service's %i, byte for byte and with its Retry-After", async (status, body) => {
    serve(status, { 'retry-after': '30' }, body);
    const response = await send('GET /v1/events');
    expect(response?.status).toBe(status);
    expect(Buffer.from(response?.body ?? '', 'latin1').toString()).toBe(body);
    expect(response?.headers['retry-after']).toBe('30');
  });

  test.each([
    ['numbers that JavaScript cannot hold', '{"a":9007199254740993,"b":1.10}'],
    ['duplicate keys and white space', '{ "a":1,\n"a":2 }'],
    ['no body at all', ''],
    ['invalid JSON', '{"a":'],
  ])('contains %s, unparsed', async (_, body) => {
    serve(200, {}, body);
    expect((await send('GET /v1/events'))?.body).toBe(body);
  });

  test('contains 4 MiB unchanged', async () => {
    const body = `"${'x'.repeat(4 * 1024 * 1024 - 2)}"`;
    serve(200, {}, body);
    expect((await send('GET /v1/events'))?.body === body).toBe(true);
  });

  test('has the headers of GET for HEAD, without a body', async () => {
    serve(200, {}, '{"events":[1,2,3]}');
    const get = await send('GET /v1/events');
    const head = await send('HEAD /v1/events', ['Connection: close']);
    expect(head?.status).toBe(200);
    expect(head?.headers['content-length']).toBe('18');
    expect(head?.headers['content-type']).toBe(get?.headers['content-type']);
    expect(upstream.received.at(-1)?.method).toBe('GET');
  });

  test('closes the connection when the client requests it', async () => {
    serve(200, { connection: 'keep-alive' }, '{}');
    expect((await send('GET /v1/events', ['Connection: close']))?.headers.connection).toBe('close');
  });

  test('is the error envelope with the limit headers when the gateway rejects the request', async () => {
    const response = await send('GET /v1/nothing');
    expectEnvelope(response, 404, 'NOT_FOUND');
    expect(Object.keys(response?.headers ?? {}).sort()).toEqual([...always, ...connection].sort());
  });
});

describe('an operation with an ETag', () => {
  const summary = 'GET /v1/events/evt_1/checkins/summary';
  const tagged = { etag: '"a"', 'cache-control': 'private, no-cache' };

  test('passes on the If-None-Match of the client, and the ETag and Cache-Control of the service', async () => {
    serve(200, tagged, '{}');
    const response = await send(summary, ['If-None-Match: "a"']);
    expect(upstream.received.at(-1)?.headers['if-none-match']).toBe('"a"');
    expect(response?.headers).toMatchObject(tagged);
  });

  test('passes on a 304 without a body, which no other operation may return', async () => {
    upstream.respondWith((_, response) => {
      response.writeHead(304, tagged).end();
    });
    const [response, next] = await exchange(
      gateway.apiUrl,
      [summary, 'GET /v1/events']
        .map((line) =>
          request(`${line} HTTP/1.1`, ['Host: gateway', `Authorization: Bearer ${testKey.secret}`]),
        )
        .join(''),
      { count: 2 },
    );
    expect(response).toMatchObject({ status: 304, headers: tagged, body: '' });
    expect(next?.status).toBe(503);
  });
});
