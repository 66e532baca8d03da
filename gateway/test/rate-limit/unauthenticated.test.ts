import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient, type TestResponse } from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOf } from '../../src/rate-limit/address.ts';
import { createGatewayDatabase, startGateway, startUpstream } from '../harness.ts';
import { expectEnvelope } from '../raw.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  // The other tests use the same address.
  redis = await startPrivateRedis();
});
afterAll(async () => {
  await redis?.close();
  await upstream?.close();
  await database?.drop();
});

const start = (trustProxy: string[]) =>
  startGateway({
    catalogUrl: upstream.url,
    databaseUrl: database.url,
    redisUrl: redis.url,
    anonymousRateLimit: 5,
    trustProxy,
  });

/**
 * On a busy machine Redis can be away for a moment. What a gateway counts alone meanwhile is not
 * added.
 */
const isLimited = (send: () => Promise<TestResponse>) =>
  eventually(async () => expect((await send()).status).toBe(429));

describe('an address that keeps sending bad keys', () => {
  test('gets 429 without limit headers beyond its limit, and its valid keys still work', async () => {
    const gateway = await start([]);
    const { client, key } = await gateway.createKey();
    expect((await client('GET', '/v1/events')).status).toBe(200);
    const stranger = httpClient(gateway.apiUrl);
    // An untrusted client cannot set its address with a header.
    const send = (i: number) =>
      stranger('GET', '/v1/events', { headers: { 'x-forwarded-for': `10.0.0.${i}` } });
    for (let i = 0; i < 5; i++) expectEnvelope(await send(i), 401);
    await isLimited(() => send(5));
    const responses = [await send(6), await stranger('POST', '/v1/nothing', { raw: '{' })];
    for (const response of responses) {
      expectEnvelope(response, 429, 'RESOURCE_EXHAUSTED');
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(Object.keys(response.headers).filter((name) => name.includes('ratelimit'))).toEqual(
        [],
      );
    }
    expect((await client('GET', '/v1/events')).headers['x-ratelimit-remaining']).toBe('118');
    expect((await stranger('GET', '/openapi.json')).status).toBe(200);
    await gateway.run('key.revoke', { id: key.id });
    await gateway.close();
  });

  test('is limited separately from others behind the same trusted proxy', async () => {
    const gateway = await start(['127.0.0.1']);
    const stranger = httpClient(gateway.apiUrl);
    const send = (from: string) =>
      stranger('GET', '/v1/events', { headers: { 'x-forwarded-for': from } });
    for (let i = 0; i < 5; i++) expect((await send('10.1.1.1')).status).toBe(401);
    await isLimited(() => send('10.1.1.1'));
    expect((await send('10.1.1.2')).status).toBe(401);
    // Addresses that the client itself has put into the header are ignored.
    expect((await send('10.9.9.9, 10.1.1.1')).status).toBe(429);
    await gateway.close();
  });
});

describe('an address', () => {
  test.each([
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.1', '::ffff:10.0.0.1', true],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:0:1::', true],
    ['::1', '::2', true],
    ['::1', '1::', false],
  ])('%s and %s count together: %s', (one, other, together) => {
    expect(networkOf(one) === networkOf(other)).toBe(together);
  });
});
