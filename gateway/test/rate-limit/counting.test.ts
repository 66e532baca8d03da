import { systemClock } from '@event-api/platform/core/clock';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/rate-limit/limit.ts';
import {
  createGatewayDatabase,
  type GatewayOptions,
  quietWindowMs,
  startGateway,
  startUpstream,
  type TestGateway,
} from '../harness.ts';
import { expectEnvelope } from '../raw.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;
let second: TestGateway;
const extra: TestGateway[] = [];

const start = async (options: Partial<GatewayOptions> = {}) => {
  const common = { catalogUrl: upstream.url, databaseUrl: database.url };
  const started = await startGateway({ ...common, ...options });
  extra.push(started);
  return started;
};

beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  const windowMs = quietWindowMs();
  gateway = await start({ windowMs });
  second = await start({ windowMs });
});
afterAll(async () => {
  await Promise.all(extra.map((each) => each.close()));
  await upstream?.close();
  await database?.drop();
});

const clientOf = (target: TestGateway, secret: string) =>
  httpClient(target.apiUrl, { authorization: `Bearer ${secret}` });

/** Sends `count` concurrent requests with one key, spread over these gateways. */
async function atOnce(
  count: number,
  secret: string,
  targets: TestGateway[],
): Promise<TestResponse[]> {
  const clients = targets.map((target) => clientOf(target, secret));
  return Promise.all(
    Array.from({ length: count }, (_, i) => clients[i % clients.length]?.('GET', '/v1/events')),
  ) as Promise<TestResponse[]>;
}
const passed = (responses: TestResponse[]) =>
  responses.filter(({ status }) => status === 200).length;

async function redisTimeMs(): Promise<number> {
  const [seconds, micros] = (await gateway.redis.sendCommand(['TIME'])) as [string, string];
  return Number(seconds) * 1000 + Number(micros) / 1000;
}

describe('130 concurrent requests with one key', () => {
  test('pass exactly 120 times through one gateway', async () => {
    const { secret } = await gateway.createKey();
    const before = upstream.received.length;
    const responses = await atOnce(130, secret, [gateway]);
    expect(passed(responses)).toBe(120);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(upstream.received.length - before).toBe(120);
    const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    const expected = [...Array(10).fill(0), ...Array.from({ length: 120 }, (_, i) => i)];
    expect(remaining.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
  });

  test('pass exactly 120 times through two gateways that share Redis', async () => {
    const { secret } = await gateway.createKey();
    expect(passed(await atOnce(130, secret, [gateway, second]))).toBe(120);
    expect(passed(await atOnce(20, secret, [second]))).toBe(0);
  });

  test('pass more often when the counter is read and then written', async () => {
    const { redis } = gateway;
    const leaky: RateLimiter = {
      isUsedUp: () => false,
      async consume(subject, limit) {
        const count = Number((await redis.get(`leaky:${subject}`)) ?? 0) + 1;
        await redis.set(`leaky:${subject}`, count);
        const reset = { windowSeconds: 60, resetSeconds: 60, resetMs: 60_000 };
        return { ...reset, limit, remaining: 0, readAfterFields: [], allowed: count <= limit };
      },
    };
    const target = await start({ limiter: leaky });
    const { secret } = await target.createKey();
    expect(passed(await atOnce(130, secret, [target]))).toBeGreaterThan(120);
  });
});

describe('the requests of one turn of the event loop', () => {
  test('are counted by one call, each with the count and the tokens of a call of its own', async () => {
    const { redis } = gateway;
    let calls = 0;
    const counting = {
      isReady: true,
      countAndLoadTokens: (...args: Parameters<typeof redis.countAndLoadTokens>) => {
        calls += 1;
        return redis.countAndLoadTokens(...args);
      },
    } as unknown as typeof redis;
    const limiter = createRateLimiter({
      redis: counting,
      windowMs: quietWindowMs(),
      clock: systemClock,
      metrics: createMetrics('gateway'),
      timeoutMs: 30_000,
    });
    const [one, other, token] = Array.from({ length: 3 }, () => crypto.randomUUID()) as [
      string,
      string,
      string,
    ];
    await redis.hSet(token, 'catalog', '17');
    await limiter.consume(one, 10);
    const results = await Promise.all([
      limiter.consume(one, 10),
      limiter.consume(other, 1, [token]),
      limiter.consume(one, 10, [`no ${token}`, token]),
      limiter.consume(other, 1),
    ]);
    expect(calls).toBe(2);
    expect(results.map(({ remaining }) => remaining)).toEqual([8, 0, 7, 0]);
    expect(results.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(results.map(({ readAfterFields }) => readAfterFields)).toEqual([
      [],
      [['catalog', '17']],
      [[], ['catalog', '17']],
      [],
    ]);
  });
});

describe('a gateway with a delayed event loop', () => {
  test('uses the response of Redis and does not count alone', async () => {
    const metrics = createMetrics('gateway');
    const options = {
      redis: gateway.redis,
      windowMs: quietWindowMs(),
      clock: systemClock,
      metrics,
    };
    const limiter = createRateLimiter(options);
    const other = createRateLimiter({ ...options, timeoutMs: 30_000 });
    // On a busy machine Redis itself can be late; a limiter that counts alone does so in every
    // attempt.
    await eventually(async () => {
      const subject = crypto.randomUUID();
      for (let i = 0; i < 5; i++) await other.consume(subject, 10);
      const counting = limiter.consume(subject, 10);
      await new Promise((resolve) => setImmediate(resolve));
      const busyUntil = performance.now() + 150;
      while (performance.now() < busyUntil);
      expect((await counting).remaining).toBe(4);
    });
  });
});

describe('the limit', () => {
  test("is the key's own if it has one", async () => {
    const { secret } = await gateway.createKey({ rateLimitPerMinute: 7 });
    const responses = await atOnce(20, secret, [gateway, second]);
    expect(passed(responses)).toBe(7);
    expect(new Set(responses.map(({ headers }) => headers['x-ratelimit-limit']))).toEqual(
      new Set(['7']),
    );
  });

  test('applies per key: another key of the same unit has its own', async () => {
    const { unit, secret } = await gateway.createKey({ rateLimitPerMinute: 1 });
    const other = await gateway.run('key.create', { businessUnitId: unit.id, name: 'Other' });
    expect(passed(await atOnce(3, secret, [gateway]))).toBe(1);
    expect(passed(await atOnce(3, other.secret, [gateway]))).toBe(3);
  });

  test('of check-ins is counted separately and named in the headers', async () => {
    const limits = { rateLimitPerMinute: 1, checkinRateLimitPerMinute: 2 };
    const { client } = await gateway.createKey(limits);
    const scan = () => client('POST', '/v1/events/evt_1/checkins', { body: {} });
    const isLimited = async (response: Promise<TestResponse>) => (await response).status === 429;
    expect(await isLimited(client('GET', '/v1/events'))).toBe(false);
    expect(await isLimited(client('GET', '/v1/events/evt_1/checkins'))).toBe(true);
    expect(await isLimited(scan())).toBe(false);
    const { headers } = await scan();
    expect(headers['ratelimit-policy']).toMatch(/^"checkins";q=2;w=\d+$/);
    expect(headers.ratelimit).toMatch(/^"checkins";r=0;t=\d+$/);
    expect(await isLimited(scan())).toBe(true);
  });

  test('counts every request with a valid key, with any response', async () => {
    const { client } = await gateway.createKey({ rateLimitPerMinute: 10 });
    const refused = [
      await client('GET', '/v1/nothing'),
      await client('DELETE', '/v1/events'),
      await client('GET', '/v1/events', { headers: { 'service-version': 'x' } }),
      await client('POST', '/v1/events', { raw: 'x', headers: { 'content-type': 'text/plain' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 405, 400, 415]);
    const remaining = refused.map(({ headers }) => headers['x-ratelimit-remaining']);
    expect(remaining).toEqual(['9', '8', '7', '6']);
  });

  test('does not count requests that return 401', async () => {
    const { key, client, secret } = await gateway.createKey();
    const left = async () =>
      Number((await client('GET', '/v1/events')).headers['x-ratelimit-remaining']);
    const before = await left();
    for (const bad of [secret.slice(0, -1), `${secret}x`, secret.toLowerCase()]) {
      expect((await clientOf(gateway, bad)('GET', '/v1/events')).status).toBe(401);
    }
    expect(await left()).toBe(before - 1);
    const expired = await gateway.createExpiredKey();
    // The gateway may have accepted the key until it has read the expiry.
    const counted = () => gateway.redis.hGet(`rate:${expired.key.id}`, 'count');
    const countedBefore = await counted();
    expect((await expired.client('GET', '/v1/events')).status).toBe(401);
    expect(await counted()).toBe(countedBefore);
    expect(Number(await gateway.redis.hGet(`rate:${key.id}`, 'count'))).toBe(2);
  });

  test('returns 429 before errors of version, path or body', async () => {
    const { client } = await gateway.createKey({ rateLimitPerMinute: 1 });
    await client('GET', '/v1/events');
    const headers = { 'service-version': 'x', 'content-type': 'text/plain' };
    const response = await client('POST', '/v1/nothing', { raw: '{', headers });
    expectEnvelope(response, 429, 'RESOURCE_EXHAUSTED');
    expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });
});

describe('the keys of a business unit', () => {
  const defaultRateLimits = { default: 20, checkins: 600, changes: 600, unitFactor: 2 };

  /** A unit of a gateway that allows 20 requests per key and 40 per unit, with so many keys. */
  async function unitWithKeys(count: number, windowMs = quietWindowMs()) {
    const target = await start({ windowMs, defaultRateLimits });
    const { unit, secret } = await target.createKey();
    const secrets = [secret];
    while (secrets.length < count) {
      const body = { businessUnitId: unit.id, name: `Key ${secrets.length}` };
      secrets.push((await target.run('key.create', body)).secret);
    }
    return { target, unit, secrets };
  }

  test('pass together as often as the unit may, also when a unit creates more keys', async () => {
    const { target, secrets } = await unitWithKeys(4);
    const responses = (
      await Promise.all(secrets.map((secret) => atOnce(15, secret, [target])))
    ).flat();
    expect(passed(responses)).toBe(40);
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(20);
    for (const { body, headers } of rejected) {
      expect(body.error.message).toBe('Rate limit of all keys of the business unit exceeded');
      expect(headers['ratelimit-policy']).toMatch(/^"default-unit";q=40;w=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  test('share the limit through two gateways', async () => {
    const windowMs = quietWindowMs();
    const { target, secrets } = await unitWithKeys(4, windowMs);
    const other = await start({ windowMs, defaultRateLimits });
    const responses = await Promise.all(
      secrets.map((secret) => atOnce(15, secret, [target, other])),
    );
    expect(passed(responses.flat())).toBe(40);
  });

  test('keep their requests when one of them is far beyond its own limit', async () => {
    const { target, secrets } = await unitWithKeys(2);
    const [flooding = '', quiet = ''] = secrets;
    for (let i = 0; i < 60; i++) await clientOf(target, flooding)('GET', '/v1/events');
    expect(passed(await atOnce(20, quiet, [target]))).toBe(20);
  });

  test('are told which budget is nearer to its end', async () => {
    const { target, secrets } = await unitWithKeys(3);
    const [first = '', second = '', third = ''] = secrets;
    await atOnce(20, first, [target]);
    await atOnce(15, second, [target]);
    const { headers } = await clientOf(target, third)('GET', '/v1/events');
    expect(headers['ratelimit-policy']).toMatch(/^"default-unit";q=40;/);
    expect(headers['x-ratelimit-remaining']).toBe('4');
  });

  test('with a limit of their own take nothing from the others', async () => {
    const { target, unit, secrets } = await unitWithKeys(2);
    const body = { businessUnitId: unit.id, name: 'Sale', rateLimitPerMinute: 1000 };
    const { secret: sale } = await target.run('key.create', body);
    expect(passed(await atOnce(100, sale, [target]))).toBe(100);
    for (const secret of secrets) expect(passed(await atOnce(20, secret, [target]))).toBe(20);
  });

  test('of another unit are not affected', async () => {
    const { target, secrets } = await unitWithKeys(3);
    for (const secret of secrets) await atOnce(20, secret, [target]);
    const { secret } = await target.createKey();
    expect(passed(await atOnce(20, secret, [target]))).toBe(20);
  });
});

describe('the headers of a response', () => {
  test('contain the exact limit, the remaining requests and the end of the window in Redis', async () => {
    const target = await start({ windowMs: 60_000 });
    // Repeats when the window ended between two reads.
    await eventually(async () => {
      const { client } = await target.createKey({ rateLimitPerMinute: 2 });
      const before = await redisTimeMs();
      const responses = [];
      for (let i = 0; i < 3; i++) responses.push(await client('GET', '/v1/events'));
      const after = await redisTimeMs();
      const end = (Math.floor(before / 60_000) + 1) * 60_000;
      expect(after).toBeLessThan(end);
      const [most, least] = [before, after].map((at) => Math.ceil((end - at) / 1000));
      for (const [i, { status, headers }] of responses.entries()) {
        const remaining = [1, 0, 0][i];
        expect(status).toBe([200, 200, 429][i]);
        expect(headers['ratelimit-policy']).toBe('"default";q=2;w=60');
        const [, r, t] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? [];
        expect(Number(r)).toBe(remaining);
        expect(Number(t)).toBeGreaterThanOrEqual(least ?? 0);
        expect(Number(t)).toBeLessThanOrEqual(most ?? 0);
        expect(headers['x-ratelimit-limit']).toBe('2');
        expect(headers['x-ratelimit-remaining']).toBe(String(remaining));
        expect(headers['x-ratelimit-reset']).toBe(String(end / 1000));
        expect(headers['retry-after']).toBe(status === 429 ? t : undefined);
      }
    });
  });
});

describe("a window's edge", () => {
  test('allows requests again in the next window on the clock of Redis, never before', async () => {
    const windowMs = 700;
    const target = await start({ windowMs });
    const windowAt = (at: number) => Math.floor(at / windowMs);
    const { client } = await target.createKey({ rateLimitPerMinute: 2 });
    const send = async () => {
      const before = windowAt(await redisTimeMs());
      const { status, headers } = await client('GET', '/v1/events');
      return { status, headers, before, after: windowAt(await redisTimeMs()) };
    };
    // Uses the whole limit within one window.
    const full = await eventually(async () => {
      const responses = [await send(), await send(), await send()];
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
      return responses[2];
    });
    const closed = full?.before ?? 0;
    const first = await eventually(async () => {
      const response = await send();
      if (response.status === 429) expect(response.before).toBe(closed);
      expect(response.status).toBe(200);
      return response;
    });
    expect(first.after).toBeGreaterThan(closed);
    expect(first.headers['x-ratelimit-remaining']).toBe('1');
  });
});
