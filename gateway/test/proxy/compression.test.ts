import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gateway, testKey, upstream, useGateway } from '../context.ts';
import { exchange, request } from '../raw.ts';

useGateway();

const json = { 'content-type': 'application/json' };
const bodyOf = (bytes: number) => JSON.stringify('é'.repeat((bytes - 2) / 2));

async function read(size: number, acceptEncoding: string, { method = 'GET', status = 200 } = {}) {
  const body = bodyOf(size);
  upstream.respondWith((_, response) => response.writeHead(status, json).end(body));
  const headers = ['Host: gateway', `Authorization: Bearer ${testKey.secret}`];
  if (acceptEncoding) headers.push(`Accept-Encoding: ${acceptEncoding}`);
  const bytes = request(`${method} /v1/events HTTP/1.1`, headers);
  const [response] = await exchange(gateway.apiUrl, bytes, { toHead: method === 'HEAD' });
  if (!response) throw new Error('no response');
  expect(response.status).toBe(status);
  return { ...response, bytes: Buffer.from(response.body, 'latin1'), sent: Buffer.from(body) };
}

describe('a response', () => {
  test.each([
    [4096, 'gzip', null],
    [4098, 'gzip', 'gzip'],
    [4098, 'gzip, deflate, br', 'gzip'],
    [4098, '*', 'gzip'],
    [4098, 'br', null],
    [4098, 'gzip;q=0', null],
    [4098, '', null],
    [64 * 1024 + 2, '', null],
    [2 * 1024 * 1024, '', null],
    [2 * 1024 * 1024, 'gzip', 'gzip'],
  ])('of %d bytes for Accept-Encoding "%s" has the encoding %s', async (size, accept, encoding) => {
    const { headers, bytes, sent } = await read(size, accept);
    expect(headers['content-encoding'] ?? null).toBe(encoding);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(headers.vary).toBe(size > 4096 ? 'accept-encoding' : undefined);
    expect(headers['cache-control']).toBe('no-store');
    expect((encoding ? gunzipSync(bytes) : bytes).equals(sent)).toBe(true);
  });

  test('to HEAD has the headers of the response to GET', async () => {
    for (const size of [4000, 10_000, 100_000]) {
      const get = await read(size, 'gzip');
      const head = await read(size, 'gzip', { method: 'HEAD' });
      expect(head.bytes).toHaveLength(0);
      for (const name of ['content-length', 'content-encoding', 'vary']) {
        expect(head.headers[name], name).toBe(get.headers[name]);
      }
    }
  });

  test('that is an error is compressed, too', async () => {
    const { headers, bytes, sent } = await read(10_000, 'gzip', { status: 400 });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).equals(sent)).toBe(true);
  });

  test.each([
    ['GET /v1/events HTTP/1.1', ['Host: gateway'], 401],
    ['GET /v1/nothing HTTP/1.1', ['Host: gateway'], 401],
    ['GET /nothing HTTP/1.1', ['Host: gateway'], 404],
    ['GET /v1/events HTTP/1.1', [], 400],
    ['BREW /v1/events HTTP/1.1', ['Host: gateway'], 400],
  ])('to %s with %j forbids caching and content sniffing', async (line, headers, status) => {
    const [response] = await exchange(gateway.apiUrl, request(line, headers));
    expect(response?.status).toBe(status);
    expect(response?.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });
});
