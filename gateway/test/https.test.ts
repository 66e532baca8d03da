import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';
import { exchange, request } from './raw.ts';

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let secure: TestGateway;
let plain: TestGateway;
let authorization: string;
beforeAll(async () => {
  upstream = await startUpstream();
  secure = await startGateway({ catalogUrl: upstream.url, publicUrl: 'https://api.example.com' });
  const { databaseUrl } = secure;
  const publicUrl = 'http://localhost:8080';
  plain = await startGateway({ catalogUrl: upstream.url, databaseUrl, publicUrl });
  authorization = `Authorization: Bearer ${(await secure.createKey()).secret}`;
});
afterAll(async () => {
  await plain?.close();
  await secure?.close();
  await upstream?.close();
});

const get = (path: string, ...headers: string[]) =>
  request(`GET ${path} HTTP/1.1`, ['Host: gateway', ...headers]);

const requests: [string, number, () => string][] = [
  ['a response of the API', 200, () => get('/v1/events', authorization)],
  ['a request without a key', 401, () => get('/v1/events')],
  ['the description of the API', 200, () => get('/openapi.json')],
  ['a page of the documentation', 200, () => get('/docs/errors')],
  ['the scanner without a build', 404, () => get('/scanner/')],
  ['an unknown path', 404, () => get('/nothing')],
  ['a malformed request', 400, () => get('/v1/events', 'Content-Length: -1')],
];

test.each(requests)(
  '%s keeps browsers of an HTTPS address on HTTPS',
  async (_case, status, bytes) => {
    const [response] = await exchange(secure.apiUrl, Buffer.from(bytes(), 'latin1'));
    expect(response?.status).toBe(status);
    expect(response?.headers['strict-transport-security']).toBe('max-age=31536000');
  },
);

test.each(requests)('%s says nothing of it at an HTTP address', async (_case, status, bytes) => {
  const [response] = await exchange(plain.apiUrl, Buffer.from(bytes(), 'latin1'));
  expect(response?.status).toBe(status);
  expect(response?.headers).not.toHaveProperty('strict-transport-security');
});
