import type { ServerResponse } from 'node:http';
import { verifiedSignatureHeader } from '@event-api/contracts/internal/notifications';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';
import { exchange, expectEnvelope, request } from './raw.ts';
import { readMetric } from './read-metric.ts';

let gateway: TestGateway;
let commerce: Awaited<ReturnType<typeof startUpstream>>;
beforeAll(async () => {
  commerce = await startUpstream();
  gateway = await startGateway({ catalogUrl: commerce.url });
});
afterAll(async () => {
  await gateway?.close();
  await commerce?.close();
});

const notify = (
  body = '{ "kept" :  "as it is" }',
  { apiUrl } = gateway,
  signature = 't=1,v1=2',
): Promise<Response> =>
  fetch(new URL('/payments/notifications/sandbox', apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sandbox-signature': signature, cookie: 'a=b' },
    body,
  });

test('forwards the bytes and the signature of a notification with a trace, and no other header of the sender', async () => {
  expect((await notify()).status).toBe(200);
  const [received] = commerce.received;
  expect(received).toMatchObject({ method: 'POST', body: '{ "kept" :  "as it is" }' });
  expect(received?.headers['sandbox-signature']).toBe('t=1,v1=2');
  expect(received?.headers.cookie).toBeUndefined();
  expect(received?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test('forwards a notification of 256 KiB, and rejects a larger one with 413', async () => {
  const [receivedBefore, most] = [commerce.received.length, 256 * 1024];
  expect((await notify('x'.repeat(most))).status).toBe(200);
  expect(commerce.received.slice(receivedBefore)).toMatchObject([{ body: 'x'.repeat(most) }]);
  const refused = await notify('x'.repeat(most + 1));
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { code: 413, status: 'PAYLOAD_TOO_LARGE', message: expect.any(String) } },
  ]);
  expect(commerce.received).toHaveLength(receivedBefore + 1);
});

test('returns the Retry-After of commerce or of the gateway', async () => {
  const body = JSON.stringify({ error: { code: 503 } });
  commerce.respondWith((_, response) =>
    response.writeHead(503, { 'retry-after': '30', 'set-cookie': 'c=d' }).end(body),
  );
  const refused = await notify();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(refused.headers.get('set-cookie')).toBeNull();
  expect(await refused.text()).toBe(body);
  commerce.respondWith((request) => request.socket.destroy());
  const unavailable = await notify();
  expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '1']);
});

test.each(['%2e%2e', '..', '%2e', 'a%2fb', '..%5c', ''])(
  'returns 404 for the provider "%s" without a call of commerce',
  async (provider) => {
    const before = commerce.received.length;
    const line = `POST /payments/notifications/${provider} HTTP/1.1`;
    const headers = ['Host: gateway', 'Content-Length: 2'];
    const [response] = await exchange(gateway.apiUrl, request(line, headers, '{}'));
    expectEnvelope(response, 404, 'NOT_FOUND');
    expect(commerce.received).toHaveLength(before);
  },
);

const forged = (_: unknown, response: ServerResponse) => response.writeHead(400).end('{}');
const accepted = (_: unknown, response: ServerResponse) => response.end('{}');

const refusals = ({ internalUrl }: TestGateway, reason: string) =>
  readMetric(internalUrl, `gateway_notifications_refused_total{reason="${reason}"}`);

test('does not limit notifications because of bad API keys of the address', async () => {
  const redis = await startPrivateRedis();
  const limited = await startGateway({
    catalogUrl: commerce.url,
    redisUrl: redis.url,
    anonymousRateLimit: 5,
  });
  const stranger = httpClient(limited.apiUrl);
  for (let i = 0; i < 10; i++) await stranger('GET', '/v1/events');
  expect((await stranger('GET', '/v1/events')).status).toBe(429);
  commerce.respondWith(accepted);
  for (let i = 0; i < 20; i++) expect((await notify('{}', limited)).status).toBe(200);
  expect(await refusals(limited, 'rate_limit')).toBe(0);
  await limited.close();
  await redis.close();
});

test('does not limit an address whose notifications have a valid signature and cannot be read', async () => {
  const redis = await startPrivateRedis();
  const limited = await startGateway({
    catalogUrl: commerce.url,
    redisUrl: redis.url,
    anonymousRateLimit: 5,
  });
  commerce.respondWith((_, response) =>
    response.writeHead(400, { [verifiedSignatureHeader]: 'true' }).end('{}'),
  );
  for (let i = 0; i < 30; i++) {
    const { status, headers } = await notify('{}', limited);
    expect([status, headers.get(verifiedSignatureHeader)]).toEqual([400, null]);
  }
  expect(await refusals(limited, 'signature')).toBe(0);
  await limited.close();
  await redis.close();
});

describe('an address over its limit of bad signatures', () => {
  const limit = 5;
  let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
  let limited: TestGateway;
  const send = (signature: 'good' | 'bad') => notify('{}', limited, signature);
  beforeAll(async () => {
    redis = await startPrivateRedis();
    limited = await startGateway({
      catalogUrl: commerce.url,
      redisUrl: redis.url,
      anonymousRateLimit: limit,
    });
    commerce.respondWith((request, response) => {
      const isGood = request.headers['sandbox-signature'] === 'good';
      (isGood ? accepted : forged)(request, response);
    });
    for (let i = 0; i < limit; i++) expect((await send('bad')).status).toBe(400);
  });
  afterAll(async () => {
    await limited?.close();
    await redis?.close();
  });

  test('delivers notifications with a valid signature', async () => {
    for (let i = 0; i < 5; i++) expect((await send('good')).status).toBe(200);
    expect((await send('bad')).status).toBe(400);
    expect((await send('good')).status).toBe(200);
  });

  test('causes at most 20 verifications per second and gets 429 with Retry-After: 1 beyond', async () => {
    const before = commerce.received.length;
    const startedAt = performance.now();
    const refused: (string | null)[] = [];
    const flood = Array.from({ length: 40 }, async () => {
      while (refused.length < 100 && performance.now() < startedAt + 10_000) {
        const { status, headers } = await send('bad');
        expect([400, 429]).toContain(status);
        if (status === 429) refused.push(headers.get('retry-after'));
      }
    });
    await Promise.all(flood);
    expect(new Set(refused)).toEqual(new Set(['1']));
    // The whole flood is counted, so that delays between gateway and commerce have no effect.
    const seconds = (performance.now() - startedAt) / 1000;
    const verified = commerce.received.length - before;
    expect(verified).toBeLessThanOrEqual(20 * (Math.floor(seconds) + 1));
    expect(await refusals(limited, 'rate_limit')).toBe(refused.length);
  });

  test('delivers a notification with a valid signature once the bad ones stop', async () => {
    await eventually(async () => expect((await send('good')).status).toBe(200));
  });
});

test('queues notifications during verifications, and returns 429 when the queue is full', async () => {
  const limited = await startGateway({ catalogUrl: commerce.url, maxNotificationVerifications: 2 });
  const held: ServerResponse[] = [];
  commerce.respondWith((_, response) => void held.push(response));
  const sent = Array.from({ length: 11 }, () => notify('{}', limited));
  // Two are verified, eight are queued, and one is rejected.
  const refused = await Promise.any(
    sent.map(async (response) => {
      const { status, headers } = await response;
      if (status === 200) throw new Error('accepted');
      return [status, headers.get('retry-after')];
    }),
  );
  expect(refused).toEqual([429, '1']);
  // The rejection can arrive before both verifications have reached commerce.
  await eventually(async () => expect(held).toHaveLength(2));
  expect(await refusals(limited, 'busy')).toBe(1);
  commerce.respondWith(accepted);
  for (const response of held) response.end('{}');
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect((await notify('{}', limited)).status).toBe(200);
  await limited.close();
});

test('limits verified and queued notifications in every burst, also after failures of commerce', async () => {
  const limited = await startGateway({ catalogUrl: commerce.url, maxNotificationVerifications: 2 });
  const verified: ServerResponse[] = [];
  commerce.respondWith((_, response) => void verified.push(response));
  for (const burst of [1, 2]) {
    verified.length = 0;
    const statuses: number[] = [];
    const sent = Array.from({ length: 30 }, async () => {
      statuses.push((await notify('{}', limited)).status);
    });
    await eventually(() => expect(statuses).toHaveLength(20));
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(await refusals(limited, 'busy')).toBe(20 * burst);
    await eventually(() => expect(verified).toHaveLength(2));
    // Each verification that ends, also with an error, starts exactly one queued one.
    for (let ended = 0; ended < 10; ended++) {
      const response = verified[ended];
      if (ended % 2 === 0) response?.end('{}');
      else response?.destroy();
      await eventually(() => expect(statuses).toHaveLength(20 + ended + 1));
      const running = Math.min(10, 2 + ended + 1);
      await eventually(() => expect(verified).toHaveLength(running));
    }
    await Promise.all(sent);
    expect(statuses.slice(20)).toEqual(Array(5).fill([200, 503]).flat());
  }
  await limited.close();
});
