import { STATUS_CODES } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';
import { connectRaw, exchange, expectEnvelope, type RawResponse, request } from './raw.ts';

const requestTimeoutMs = 300;
let gateway: TestGateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let testKey: Awaited<ReturnType<TestGateway['createKey']>>;
let authorization: string;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ catalogUrl: upstream.url, requestTimeoutMs });
  testKey = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
  authorization = `Authorization: Bearer ${testKey.secret}`;
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.received.length = 0;
});
afterEach(async () => {
  expect((await testKey.client('GET', '/v1/events')).status).toBe(200);
});

const host = 'Host: gateway';
const json = 'Content-Type: application/json';
const send = (bytes: string, options?: { count?: number; toHead?: boolean }) =>
  exchange(gateway.apiUrl, Buffer.from(bytes, 'latin1'), options);

/** The reason phrase is that of the HTTP standard, not the code of the envelope. */
function expectStandardStatusLine(response: RawResponse | undefined): void {
  const status = response?.status ?? 0;
  expect(response?.head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`);
}

describe('a malformed request', () => {
  const post = (headers: string[], body = '') =>
    request('POST /v1/events HTTP/1.1', [host, authorization, json, ...headers], body);
  const get = (headers: string[]) =>
    request('GET /v1/events HTTP/1.1', [authorization, ...headers]);

  const refused: [string, number, () => string][] = [
    ['two lengths', 400, () => post(['Content-Length: 2', 'Content-Length: 3'], '{}')],
    ['two equal lengths', 400, () => post(['Content-Length: 2', 'Content-Length: 2'], '{}')],
    ['a list of lengths', 400, () => post(['Content-Length: 2, 2'], '{}')],
    ['a negative length', 400, () => post(['Content-Length: -1'])],
    ['a length in hexadecimal', 400, () => post(['Content-Length: 0x2'], '{}')],
    [
      'a length and chunks',
      400,
      () => post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    ],
    [
      'chunks and a length',
      400,
      () => post(['Transfer-Encoding: chunked', 'Content-Length: 2'], '0\r\n\r\n'),
    ],
    ['an unknown transfer encoding', 400, () => post(['Transfer-Encoding: gzip'])],
    ['chunked twice', 400, () => post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')],
    [
      'a broken chunk size',
      400,
      () => post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
    ],
    ['a folded header', 400, () => get([host, 'X-A: a\r\n b'])],
    ['lines that end with LF', 400, () => `GET /v1/events HTTP/1.1\n${host}\n${authorization}\n\n`],
    ['a header that ends with LF', 400, () => get([`${host}\nX-A: a`])],
    ['a space before a colon', 400, () => get(['Host : gateway'])],
    ['a header without a name', 400, () => get([host, ': a'])],
    ['a control byte in a header', 400, () => get([host, 'X-A: a\x01'])],
    ['a NUL in a header', 400, () => get([host, 'X-A: a\0'])],
    ['no Host', 400, () => get([])],
    ['two Hosts', 400, () => get([host, 'Host: other'])],
    ['two equal Hosts', 400, () => get([host, host])],
    ['an empty Host', 400, () => get(['Host:'])],
    ['headers beyond 16 KiB', 431, () => get([host, `X-A: ${'a'.repeat(17_000)}`])],
    [
      'a thousand headers beyond 16 KiB',
      431,
      () => get([host, ...Array(1000).fill('X-A: aaaaaaaaaaa')]),
    ],
    ['a path beyond 16 KiB', 431, () => request(`GET /v1/${'a'.repeat(17_000)} HTTP/1.1`, [host])],
    ['an expectation that nobody knows', 417, () => get([host, 'Expect: foo'])],
    ['a protocol of its own', 400, () => request('GET /v1/events HTCPCP/1.0', [host])],
    ['HTTP/2 without having asked', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/9.9', 400, () => request('GET /v1/events HTTP/9.9', [host])],
    ['no path', 400, () => request('GET HTTP/1.1', [host])],
    ['a space in its path', 400, () => request('GET /v1/ev ents HTTP/1.1', [host])],
    ['a method of its own', 400, () => request('BREW /v1/events HTTP/1.1', [host])],
    ['a method in lower case', 400, () => request('get /v1/events HTTP/1.1', [host])],
    ['bytes at random', 400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an SQL prompt', 400, () => 'select 1;\r\n\r\n'],
  ];
  test.each(refused)(
    '%s: %i in the envelope, and the connection is closed',
    async (_, status, bytes) => {
      const connection = connectRaw(gateway.apiUrl);
      connection.write(Buffer.from(bytes(), 'latin1'));
      const [response, ...more] = await connection.responses(1);
      expectEnvelope(response, status);
      expectStandardStatusLine(response);
      expect(more).toEqual([]);
      expect(upstream.received).toEqual([]);
      if (response?.headers.connection !== 'close') connection.socket.end();
      await connection.closed;
    },
  );

  test('closes the connection without a response to the next request', async () => {
    const responses = await send(
      post(['Content-Length: 2', 'Content-Length: 3'], '{}') + get([host]),
      { count: 2 },
    );
    expect(responses).toHaveLength(1);
    expectEnvelope(responses[0], 400);
  });
});

describe('a slow request', () => {
  test.each([
    ['in its request line', () => 'GET /v1/ev'],
    ['in its headers', () => `GET /v1/events HTTP/1.1\r\n${host}\r\nX-A: `],
    [
      'in its body',
      () =>
        request(
          'POST /v1/events HTTP/1.1',
          [host, authorization, json, 'Content-Length: 9'],
          '{"a',
        ),
    ],
    [
      'in its chunks',
      () =>
        request(
          'POST /v1/events HTTP/1.1',
          [host, authorization, json, 'Transfer-Encoding: chunked'],
          '5\r\n{"a',
        ),
    ],
  ])('%s gets 408 soon after its timeout', async (_, bytes) => {
    const startedAt = performance.now();
    const connection = connectRaw(gateway.apiUrl);
    connection.write(bytes());
    const [response] = await connection.responses(1);
    expectEnvelope(response, 408, 'REQUEST_TIMEOUT');
    expectStandardStatusLine(response);
    await connection.closed;
    expect(performance.now() - startedAt).toBeLessThan(requestTimeoutMs * 5);
    expect(upstream.received).toEqual([]);
  });

  test('that sends single bytes gets no more time than one that stops', async () => {
    const connection = connectRaw(gateway.apiUrl);
    connection.write(
      request('POST /v1/events HTTP/1.1', [host, authorization, json, 'Content-Length: 9999']),
    );
    const drip = setInterval(() => connection.write(' '), 20);
    const [response] = await connection.responses(1);
    clearInterval(drip);
    expectEnvelope(response, 408, 'REQUEST_TIMEOUT');
  });
});

describe('an unusual but valid request', () => {
  const get = (line: string, headers: string[] = []) =>
    send(request(line, [host, authorization, ...headers]));

  test('with Expect: 100-continue gets 100 and then its response', async () => {
    const connection = connectRaw(gateway.apiUrl);
    const headers = [host, authorization, json, 'Content-Length: 2', 'Expect: 100-continue'];
    connection.write(request('POST /v1/events HTTP/1.1', headers));
    await new Promise<void>((resolve) => connection.socket.once('data', () => resolve()));
    expect(connection.received()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    connection.write('{}');
    expect((await connection.responses(1))[0]?.status).toBe(200);
    expect(upstream.received[0]?.headers.expect).toBeUndefined();
    connection.socket.destroy();
  });

  test('in absolute form is routed by its path, with any host', async () => {
    for (const origin of ['http://gateway', 'https://evil.example:99', 'HTTP://u:p@x']) {
      upstream.received.length = 0;
      expect((await get(`GET ${origin}/v1/events?limit=1 HTTP/1.1`))[0]?.status).toBe(200);
      expect(upstream.received.map(({ url }) => url)).toEqual(['/v1/events?limit=1']);
      expect(upstream.received[0]?.headers.host).toBe(new URL(upstream.url).host);
    }
  });

  test('in absolute form without a path is routed as the root: 302 to the documentation', async () => {
    for (const target of ['http://gateway', 'http://gateway?x=1']) {
      const [response] = await get(`GET ${target} HTTP/1.1`);
      expect([response?.status, response?.headers.location]).toEqual([302, '/docs/']);
    }
  });

  test('in absolute form with another scheme is a 404', async () => {
    expectEnvelope((await get('GET ftp://gateway/v1/events HTTP/1.1'))[0], 404);
  });

  test('OPTIONS * returns 404', async () => {
    expectEnvelope((await get('OPTIONS * HTTP/1.1'))[0], 404);
  });

  test.each(['127.0.0.1:22', '/v1/events'])(
    'CONNECT %s gets a 405 with the methods of the API on a closed connection',
    async (target) => {
      const connection = connectRaw(gateway.apiUrl);
      connection.write(request(`CONNECT ${target} HTTP/1.1`, [host, authorization]));
      await connection.closed;
      const [response] = await connection.responses(1);
      expectEnvelope(response, 405, 'METHOD_NOT_ALLOWED');
      expectStandardStatusLine(response);
      expect(response?.headers.allow).toBe('GET, HEAD, PATCH, POST, PUT');
      expect(response?.headers.connection).toBe('close');
      expect(upstream.received).toEqual([]);
    },
  );

  test.each(['websocket', 'h2c', 'TLS/1.3'])(
    'with Upgrade: %s gets a response without an upgrade',
    async (to) => {
      const headers = [
        'Connection: Upgrade',
        `Upgrade: ${to}`,
        'Sec-WebSocket-Key: a',
        'HTTP2-Settings: a',
      ];
      const [response] = await get('GET /v1/events HTTP/1.1', headers);
      expect(response?.status).toBe(200);
      expect(response?.headers.upgrade).toBeUndefined();
    },
  );

  test('with HTTP/1.0 and without Host gets a response, and its connection is closed', async () => {
    const connection = connectRaw(gateway.apiUrl);
    connection.write(request('GET /v1/events HTTP/1.0', [authorization]));
    expect((await connection.responses(1))[0]).toMatchObject({ status: 200, body: '{"ok":true}' });
    await connection.closed;
  });

  test('with a hundred headers of one name gets a response', async () => {
    expect((await get('GET /v1/events HTTP/1.1', Array(100).fill('X-Many: a')))[0]?.status).toBe(
      200,
    );
    const versions = Array(100).fill('Service-Version: 2026-08-22');
    expectEnvelope((await get('GET /v1/events HTTP/1.1', versions))[0], 400);
    const types = [...Array(100).fill(json), 'Content-Length: 2'];
    const all = [host, authorization, ...types];
    expect((await send(request('POST /v1/events HTTP/1.1', all, '{}')))[0]?.status).toBe(200);
  });

  test('can be pipelined, with responses in order', async () => {
    const one = (path: string) => request(`GET ${path} HTTP/1.1`, [host, authorization]);
    const post = request(
      'POST /v1/events HTTP/1.1',
      [host, authorization, json, 'Content-Length: 2'],
      '{}',
    );
    const row =
      one('/v1/events?n=1') + one('/v1/nothing') + post + one('/v1/%ff') + one('/v1/events?n=2');
    const responses = await send(row, { count: 5 });
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 200, 404, 200]);
    expect(new Set(responses.map(({ headers }) => headers['request-id'])).size).toBe(5);
    expect(upstream.received.map(({ url }) => url).sort()).toEqual([
      '/v1/events',
      '/v1/events?n=1',
      '/v1/events?n=2',
    ]);
  });
});
