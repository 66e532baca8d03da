import type { RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { freePort } from '@event-api/local-servers/ports';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from '../harness.ts';
import { connectRaw, exchange, expectEnvelope, request } from '../raw.ts';

const timeoutMs = 200;
let gateway: TestGateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let testKey: Awaited<ReturnType<TestGateway['createKey']>>;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ catalogUrl: upstream.url, upstreamTimeoutMs: timeoutMs });
  testKey = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

const healthy: RequestListener = (_, response) =>
  response.setHeader('content-type', 'application/json').end('{"ok":true}');

beforeEach(() => {
  upstream.received.length = 0;
});
afterEach(async () => {
  upstream.respondWith(healthy);
  expect((await testKey.client('GET', '/v1/events')).status).toBe(200);
});

const send = async (target = gateway) =>
  (
    await exchange(
      target.apiUrl,
      request('GET /v1/events HTTP/1.1', [
        'Host: gateway',
        `Authorization: Bearer ${testKey.secret}`,
      ]),
    )
  )[0];

const fixedText = 'Temporarily unavailable, please try again';

/** Asserts a 503 that reveals nothing about the services. */
function expectUnavailable(response: Awaited<ReturnType<typeof send>>) {
  expect(expectEnvelope(response, 503, 'UNAVAILABLE').message).toBe(fixedText);
  expect(response?.headers['retry-after']).toBe('1');
  for (const name of ['location', 'idempotent-replayed', 'set-cookie', 'server']) {
    expect(response?.headers[name]).toBeUndefined();
  }
  expect(response?.body).not.toMatch(/127\.0\.0\.1|ECONN|UND_ERR|socket/i);
}

const json = { 'content-type': 'application/json' };
/** Headers that must be dropped together with their response. */
const promising = {
  location: '/v1/events/evt_1',
  'retry-after': '30',
  'idempotent-replayed': 'true',
};

describe('an unreachable service', () => {
  test('causes an immediate 503 without its address', async () => {
    const other = await startGateway({
      catalogUrl: `http://127.0.0.1:${await freePort()}`,
      databaseUrl: gateway.databaseUrl,
    });
    const responses = await Promise.all(Array.from({ length: 30 }, () => send(other)));
    for (const response of responses) expectUnavailable(response);
    await other.close();
  });

  test('causes 503 when its name cannot be resolved', async () => {
    const other = await startGateway({
      catalogUrl: 'http://no-such-service.invalid:1',
      databaseUrl: gateway.databaseUrl,
    });
    expectUnavailable(await send(other));
    await other.close();
  });
});

describe('a service that closes the connection', () => {
  const breaks: [string, RequestListener][] = [
    ['before it answers', (request) => request.socket.destroy()],
    ['with a reset', (request) => (request.socket as Socket).resetAndDestroy()],
    [
      'in the middle of an announced length',
      (request, response) => {
        response.writeHead(200, { ...json, ...promising, 'content-length': '1000' });
        response.write('{"events":[', () => request.socket.destroy());
      },
    ],
    [
      'in the middle of chunks',
      (request, response) => {
        response.writeHead(200, { ...json, ...promising });
        response.write('{"events":[', () => (request.socket as Socket).resetAndDestroy());
      },
    ],
  ];
  test.each(breaks)('%s gives 503, never half an answer', async (_, listener) => {
    upstream.respondWith(listener);
    expectUnavailable(await send());
    expect(upstream.received).toHaveLength(1);
  });
});

describe('a slow service', () => {
  const stalls: [string, RequestListener][] = [
    ['to begin', () => {}],
    [
      'to finish',
      (_, response) => response.writeHead(200, { ...json, ...promising }).write('{"events":['),
    ],
    [
      'and drips, so that no two bytes are far apart',
      (_, response) => {
        response.writeHead(200, json);
        const drip = setInterval(() => response.write(' '), timeoutMs / 10);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ];
  test.each(stalls)('%s gives 504 in time', async (_, listener) => {
    upstream.respondWith(listener);
    const startedAt = performance.now();
    const response = await send();
    const { message } = expectEnvelope(response, 504, 'DEADLINE_EXCEEDED');
    expect(message).not.toContain('effect');
    expect(performance.now() - startedAt).toBeLessThan(timeoutMs * 10);
    for (const name of Object.keys(promising)) expect(response?.headers[name]).toBeUndefined();
    expect(upstream.received).toHaveLength(1);
  });
});

describe('a write whose response is late', () => {
  test('returns 504 with a note that it may have taken effect', async () => {
    upstream.respondWith(() => {});
    const late = await testKey.client('POST', '/v1/events', { body: {} });
    expect(expectEnvelope(late, 504).message).toContain('may have taken effect');
  });
});

describe('a service that does not respond', () => {
  test('is asked three times, then requests get a 503 at once until a probe gets a response', async () => {
    upstream.respondWith(() => {});
    const own = await startGateway({
      catalogUrl: upstream.url,
      databaseUrl: gateway.databaseUrl,
      upstreamTimeoutMs: timeoutMs,
    });
    for (let i = 0; i < 3; i++) expectEnvelope(await send(own), 504);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(own)));
    const rejected = responses.filter((response) => response?.status !== 504);
    for (const response of rejected) expectUnavailable(response);
    // If a busy machine takes longer than the pause, one of them is a probe.
    expect(rejected.length).toBeGreaterThanOrEqual(19);
    upstream.respondWith((_, response) => response.writeHead(200, json).end('{"events":[]}'));
    await eventually(async () => expect((await send(own))?.status).toBe(200));
    await own.close();
  });

  test('still gets requests of another class, so that a slow list rejects no write', async () => {
    upstream.respondWith((request, response) => {
      if (request.method === 'POST') response.writeHead(201, json).end('{}');
    });
    const own = await startGateway({
      catalogUrl: upstream.url,
      databaseUrl: gateway.databaseUrl,
      upstreamTimeoutMs: timeoutMs,
    });
    for (let i = 0; i < 3; i++) expectEnvelope(await send(own), 504);
    const client = httpClient(own.apiUrl, { authorization: `Bearer ${testKey.secret}` });
    expect((await client('POST', '/v1/events', { body: {} })).status).toBe(201);
    await own.close();
  });
});

describe('an invalid response of a service', () => {
  const wrong: [string, RequestListener][] = [
    ['HTML', (_, r) => r.writeHead(200, { ...promising, 'content-type': 'text/html' }).end('<p>')],
    ['HTML as an error', (_, r) => r.writeHead(502, { 'content-type': 'text/html' }).end('<p>')],
    ['no type', (_, r) => r.writeHead(200).end('{}')],
    ['nothing', (_, r) => r.writeHead(204, promising).end()],
    [
      'two types',
      (_, r) =>
        r.writeHead(200, ['content-type', 'text/html', 'content-type', 'application/json']).end(),
    ],
    ['401', (_, r) => r.writeHead(401, { ...json, 'www-authenticate': 'Inner' }).end('{"a":1}')],
    [
      'more than 4 MiB',
      (_, r) => r.writeHead(200, json).end(Buffer.alloc(4 * 1024 * 1024 + 1, 32)),
    ],
    [
      'headers of 32 KiB',
      (_, r) => r.writeHead(200, { ...json, 'x-big': 'x'.repeat(32_768) }).end('{}'),
    ],
    ['status 999', (_, r) => r.writeHead(999, json).end('{}')],
  ];
  test.each(wrong)('%s causes 503', async (_, listener) => {
    upstream.respondWith(listener);
    expectUnavailable(await send());
    expect(upstream.received).toHaveLength(1);
  });

  test.each([
    ['a response that is not HTTP', 'hello\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\ncontent-type: application/json\r\n\r\n{}'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
    ],
    [
      'a broken chunk',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
  ])('%s causes 503', async (_, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const catalogUrl = `http://127.0.0.1:${port}`;
    const other = await startGateway({ catalogUrl, databaseUrl: gateway.databaseUrl });
    expectUnavailable(await send(other));
    await other.close();
    server.close();
  });
});

describe('an overloaded service', () => {
  test('is called once, and its 503 and Retry-After are forwarded', async () => {
    const body = '{"error":{"code":503,"status":"UNAVAILABLE","message":"busy"}}';
    upstream.respondWith((_, r) => r.writeHead(503, { ...json, 'retry-after': '30' }).end(body));
    const response = await send();
    expect([response?.status, response?.body, response?.headers['retry-after']]).toEqual([
      503,
      body,
      '30',
    ]);
    expect(upstream.received).toHaveLength(1);
  });

  test('does not block others: ten parallel 503s of 70 kB all arrive', async () => {
    const body = JSON.stringify({ pad: 'x'.repeat(70_000) });
    upstream.respondWith((_, r) => r.writeHead(503, json).end(body));
    const responses = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(responses.map((response) => response?.body.length)).toEqual(Array(10).fill(body.length));
    expect(upstream.received).toHaveLength(10);
  });
});

describe('a client that disconnects', () => {
  test('before the response does not affect the gateway and its service', async () => {
    let finish = () => {};
    const requestReceived = new Promise<void>((resolve) => {
      upstream.respondWith((_, response) => {
        finish = () => void response.writeHead(200, json).end('{}');
        resolve();
      });
    });
    const connection = connectRaw(gateway.apiUrl);
    const headers = ['Host: gateway', `Authorization: Bearer ${testKey.secret}`];
    connection.write(request('GET /v1/events HTTP/1.1', headers));
    await requestReceived;
    connection.socket.resetAndDestroy();
    await connection.closed;
    finish();
  });

  test('during its body does not reach the service', async () => {
    const connection = connectRaw(gateway.apiUrl);
    const headers = [
      'Host: gateway',
      `Authorization: Bearer ${testKey.secret}`,
      'Content-Type: application/json',
    ];
    connection.write(request('POST /v1/events HTTP/1.1', [...headers, 'Content-Length: 100'], '{'));
    await new Promise<void>((resolve) => connection.socket.write(' ', () => resolve()));
    connection.socket.resetAndDestroy();
    await connection.closed;
    expect(upstream.received).toEqual([]);
  });
});
