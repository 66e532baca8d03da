import { httpClient } from '@event-api/platform/testing/http-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { gateway, testKey, upstream, useGateway } from '../context.ts';
import { connectRaw, exchange, expectEnvelope, request } from '../raw.ts';

useGateway();
beforeEach(() => {
  upstream.received.length = 0;
});

const ownHead = () => ['Host: gateway', `Authorization: Bearer ${testKey.secret}`];
const jsonHeaders = () => [...ownHead(), 'Content-Type: application/json'];

const send = async (line: string, headers: string[] = [], body: string | Buffer = '') => {
  const all = [...ownHead(), ...headers];
  const head = Buffer.from(request(`${line} HTTP/1.1`, all), 'latin1');
  return (await exchange(gateway.apiUrl, Buffer.concat([head, Buffer.from(body)])))[0];
};
const arrived = () => upstream.received[0]?.headers ?? {};

const ownHeaders = ['connection', 'host', 'traceparent', 'x-caller', 'x-request-id'];

describe('a forwarded request', () => {
  test('contains the signed caller token and the request id of the response', async () => {
    const response = await send('GET /v1/events');
    const caller = await gateway.callers.verifier.verify(String(arrived()['x-caller']), 'api');
    expect(caller).toEqual({
      issuer: 'gateway',
      audience: 'api',
      businessUnitId: testKey.unit.id,
      defaultCurrency: 'EUR',
      keyId: testKey.key.id,
      permissions: null,
      events: null,
      doors: null,
      actor: { type: 'key', id: testKey.key.id },
    });
    expect(arrived()['x-request-id']).toBe(response?.headers['request-id']);
    expect(Object.keys(arrived()).sort()).toEqual(ownHeaders);
  });

  test.each([
    'X-Caller: forged',
    'X_Caller: forged',
    'x-request-id: req_00000000000000000000000000',
    'Request-Id: req_00000000000000000000000000',
    'X-Read-After: 1',
    'Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'Tracestate: a=b',
    'Baggage: a=b',
    'Cookie: a=b',
    'Forwarded: for=1.2.3.4',
    'X-Forwarded-For: 1.2.3.4',
    'X-Forwarded-Host: evil',
    'X-Real-IP: 1.2.3.4',
    'X-HTTP-Method-Override: DELETE',
    'X-Original-URL: /operator/unit.list',
    'Accept-Encoding: gzip',
    'Accept-Version: 1.0.0',
    'If-None-Match: *',
    'Range: bytes=0-1',
    'Origin: http://evil',
    'TE: trailers',
    'Keep-Alive: timeout=9',
    'Proxy-Authorization: Basic eA==',
    'Proxy-Connection: keep-alive',
    'Connection: x-caller',
    'Connection: close, x-caller, x-request-id, host',
    'Connection: close, authorization',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Service-Version: 2026-08-22',
    'Idempotency-Key',
  ])('does not contain %s', async (header) => {
    expect(
      (await send('GET /v1/events', [header.includes(':') ? header : `${header}: `]))?.status,
    ).toBe(200);
    const headers = upstream.received[0]?.headers ?? {};
    const unexpected = Object.keys(headers).filter(
      (name) => ![...ownHeaders, 'idempotency-key'].includes(name),
    );
    expect(unexpected).toEqual([]);
    expect(headers.host).toBe(new URL(upstream.url).host);
    const token = String(headers['x-caller']);
    expect(await gateway.callers.verifier.verify(token, 'api')).toMatchObject({
      keyId: testKey.key.id,
      actor: { type: 'key', id: testKey.key.id },
    });
    expect(headers['x-request-id']).not.toBe('req_00000000000000000000000000');
    expect(headers.traceparent).not.toContain('0af7651916cd43dd8448eb211c80319c');
    expect(JSON.stringify(headers)).not.toContain(testKey.secret);
  });

  test('contains Accept, Content-Type and Idempotency-Key of the client', async () => {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': 'once',
    };
    await testKey.client('POST', '/v1/events', { raw: '{}', headers });
    expect(arrived()).toMatchObject({
      accept: 'application/json',
      'content-type': expect.stringMatching(/^application\/json/),
      'content-length': '2',
      'idempotency-key': 'once',
    });
  });

  test.each([
    '?limit=5&cursor=abc',
    '?',
    '?a=1&a=2&a[]=3',
    '?a=%2F%2f%20+&b=%ff&=&&',
    '?q=a?b?c',
    "?x='<>|{}^`",
    '?limit=1;cursor=2',
    `?long=${'x'.repeat(8000)}`,
  ])('contains the query %s, byte for byte', async (query) => {
    expect((await send(`GET /v1/events${query}`))?.status).toBe(200);
    // A question mark alone is an empty query.
    const expected = query === '?' ? [`/v1/events`, `/v1/events?`] : [`/v1/events${query}`];
    expect(expected).toContain(upstream.received[0]?.url);
  });

  test.each([
    ['duplicate keys', '{"a":1,"a":2}'],
    ['white space', ' \r\n\t{ "a" : 1 }\n'],
    ['numbers beyond a double', '{"a":9007199254740993,"b":1e999,"c":1.10}'],
    ['escapes', '{"\\u0061":"\\/\\ud800"}'],
    ['no JSON', '{"a":'],
    ['a bare word', 'null'],
    ['a prototype', '{"__proto__":{"a":1}}'],
    ['characters beyond ASCII', '{"a":"Zürich 🎫"}'],
  ])('contains a body with %s, byte for byte', async (_, body) => {
    expect((await testKey.client('POST', '/v1/events', { raw: body })).status).toBe(200);
    expect(upstream.received[0]?.body).toBe(body);
  });

  test('contains a chunked body as one body', async () => {
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const response = await send('POST /v1/events', headers, '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n');
    expect(response?.status).toBe(200);
    expect(upstream.received[0]?.body).toBe('{"a":1}');
    expect(arrived()['transfer-encoding']).toBeUndefined();
  });

  test.each([
    'Content-Type: application/json',
    'Content-Type: application/json; charset=latin1',
    'Content-Type: text/xml',
    'Content-Encoding: gzip',
  ])('omits the body of a GET with %s', async (header) => {
    const response = await send('GET /v1/events', [header, 'Content-Length: 2'], '{}');
    expect(response?.status).toBe(200);
    expect(upstream.received).toMatchObject([{ method: 'GET', body: '' }]);
  });

  test('has no body for a POST without one, with any content type', async () => {
    for (const headers of [
      [],
      ['Content-Length: 0'],
      ['Content-Type: application/json', 'Content-Length: 0'],
    ]) {
      upstream.received.length = 0;
      expect((await send('POST /v1/events/x/archive', headers))?.status).toBe(200);
      expect(upstream.received).toMatchObject([{ method: 'POST', body: '' }]);
    }
  });
});

describe('a request that reaches no service', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '/',
  ])('a body of the type %s: 415', async (type) => {
    const response = await testKey.client('POST', '/v1/events', {
      raw: '{}',
      headers: { 'content-type': type },
    });
    expectEnvelope(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(upstream.received).toEqual([]);
  });

  test('a body without a type: 415', async () => {
    expectEnvelope(await send('POST /v1/events', ['Content-Length: 2'], '{}'), 415);
    expect(upstream.received).toEqual([]);
  });

  test('a body of 2 MiB, announced or chunked: 413', async () => {
    const big = Buffer.alloc(2 * 1024 * 1024, 32);
    for (let i = 0; i < 10; i++) {
      expectEnvelope(
        await testKey.client('POST', '/v1/events', { raw: big }),
        413,
        'PAYLOAD_TOO_LARGE',
      );
    }
    const connection = connectRaw(gateway.apiUrl);
    connection.write(
      request('POST /v1/events HTTP/1.1', [...jsonHeaders(), 'Transfer-Encoding: chunked']),
    );
    for (let i = 0; i < 32; i++) connection.write(`10000\r\n${' '.repeat(65_536)}\r\n`);
    const [response] = await connection.responses(1);
    expectEnvelope(response, 413, 'PAYLOAD_TOO_LARGE');
    await connection.closed;
    expect(upstream.received).toEqual([]);
  });

  test('a body of 2 MiB: 413 after the whole body, and the connection stays open', async () => {
    const connection = connectRaw(gateway.apiUrl);
    const headers = jsonHeaders();
    const length = 2 * 1024 * 1024;
    connection.write(
      request('POST /v1/events HTTP/1.1', [...headers, `Content-Length: ${length}`]),
    );
    const [refused] = await connection.responses(1);
    expectEnvelope(refused, 413, 'PAYLOAD_TOO_LARGE');
    connection.write(' '.repeat(length));
    connection.write(request('GET /v1/events HTTP/1.1', headers));
    const [, next] = await connection.responses(2);
    expect(next?.status).toBe(200);
    connection.socket.end();
    await connection.closed;
  });

  test('a body one byte larger than 1 MiB, while 1 MiB is forwarded', async () => {
    const exactly = Buffer.alloc(1024 * 1024, 32);
    expect((await testKey.client('POST', '/v1/events', { raw: exactly })).status).toBe(200);
    expect(upstream.received[0]?.body.length).toBe(exactly.length);
    const more = Buffer.alloc(exactly.length + 1, 32);
    expect((await testKey.client('POST', '/v1/events', { raw: more })).status).toBe(413);
    expect(upstream.received).toHaveLength(1);
  });

  test('a body that ends before its announced length', async () => {
    const connection = connectRaw(gateway.apiUrl);
    const headers = jsonHeaders();
    connection.write(
      request('POST /v1/events HTTP/1.1', [...headers, 'Content-Length: 10'], '{"a'),
    );
    connection.socket.end();
    await connection.closed;
    expect((await httpClient(gateway.apiUrl)('GET', '/openapi.json')).status).toBe(200);
    expect(upstream.received).toEqual([]);
  });
});

describe('a body with an unsupported encoding', () => {
  const json = { 'content-type': 'application/json' };

  test.each([
    { ...json, 'content-encoding': 'gzip' },
    { ...json, 'content-encoding': 'br' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json; charset="utf-16"' },
  ])('is rejected with 415 before it is read: %j', async (headers) => {
    upstream.received.length = 0;
    const { status, body } = await testKey.client('POST', '/v1/events', { raw: '{}', headers });
    expect(status).toBe(415);
    expect(body.error.status).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(upstream.received).toEqual([]);
  });

  test('is forwarded when the headers name the default encoding', async () => {
    const headers = {
      'content-encoding': 'identity',
      'content-type': 'application/json; charset=UTF-8',
    };
    const { status } = await testKey.client('POST', '/v1/events', { raw: '{}', headers });
    expect(status).toBe(200);
  });

  test('can be missing, with any content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status } = await testKey.client('POST', '/v1/events/x/archive', { raw: '', headers });
    expect(status).toBe(200);
  });
});
