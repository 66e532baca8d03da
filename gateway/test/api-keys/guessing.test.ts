import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  insertUnseenKey,
  startGateway,
  startUpstream,
  type TestGateway,
} from '../harness.ts';

const anonymousRateLimit = 5;
const lookups: number[] = [];
let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;
const startup: string[] = [];

const guess = () =>
  `sk_live_${Array.from({ length: 32 }, () => randomInt(36).toString(36)).join('')}`;
const request = async (secret: string) =>
  (await httpClient(gateway.apiUrl, { authorization: `Bearer ${secret}` })('GET', '/v1/events'))
    .status;

let oldKey: string;
beforeAll(async () => {
  database = await createGatewayDatabase();
  redis = await startPrivateRedis();
  upstream = await startUpstream();
  oldKey = await insertUnseenKey(database.sql);
  gateway = await startGateway({
    catalogUrl: upstream.url,
    databaseUrl: database.url,
    redisUrl: redis.url,
    anonymousRateLimit,
    onKeyQuery: (statement) => {
      if (statement === 'key_by_hash') lookups.push(performance.now());
      else startup.push(statement);
    },
  });
  await eventually(() => expect(startup).toContain('changed_keys'));
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
  await redis?.close();
  await database?.drop();
});

/** Maximum number of look-ups within one second. A tenth of it allows for timer delays. */
const mostPerSecond = () =>
  Math.max(...lookups.map((at) => lookups.filter((t) => t >= at && t < at + 900).length));

describe('an address over its limit of bad keys', () => {
  test('causes at most five look-ups per second, and its valid keys are served as usual', async () => {
    const used = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
    expect(await request(used.secret)).toBe(200);
    for (let i = 0; i <= anonymousRateLimit; i++) await request(guess());
    lookups.length = 0;

    const until = performance.now() + 2500;
    const statuses = new Set<number>();
    const guesses = Array.from({ length: 20 }, async () => {
      while (performance.now() < until) statuses.add(await request(guess()));
    });
    expect(await request(oldKey)).toBe(200);
    const created = await gateway.createKey({ rateLimitPerMinute: 1_000_000 });
    await eventually(async () => expect(await request(created.secret)).toBe(200));
    while (performance.now() < until) {
      for (const secret of [oldKey, used.secret, created.secret]) {
        const status = await request(secret);
        if (secret === oldKey) expect([200, 429]).toContain(status);
        else expect(status).toBe(200);
      }
      await delay(50);
    }
    await Promise.all(guesses);
    expect([...statuses]).toEqual([429]);
    expect(lookups.length).toBeGreaterThan(0);
    expect(mostPerSecond()).toBeLessThanOrEqual(5);
  });

  test('gets a response for a key that is not cached once a look-up is allowed', async () => {
    const secret = await insertUnseenKey(database.sql);
    await eventually(async () => expect(await request(secret)).toBe(200));
  });
});
