import { eventually } from '@event-api/platform/testing/eventually';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  quietWindowMs,
  startGateway,
  startUpstream,
  type TestGateway,
} from '../harness.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let gateways: [TestGateway, TestGateway];
const windowMs = quietWindowMs();

beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  redis = await startPrivateRedis();
  gateways = [await startGateway(optionsOf()), await startGateway(optionsOf())];
});
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.close()));
  await redis?.close();
  await upstream?.close();
  await database?.drop();
});

const optionsOf = () => ({
  catalogUrl: upstream.url,
  databaseUrl: database.url,
  redisUrl: redis.url,
  hasProductionRedisTimeout: true,
  windowMs,
});
const remaining = ({ headers }: TestResponse) => Number(headers['x-ratelimit-remaining']);

async function newKey(fields: Record<string, unknown> = {}): Promise<[HttpClient, HttpClient]> {
  const { secret } = await gateways[0].createKey({ rateLimitPerMinute: 1_000_000, ...fields });
  const clientOf = ({ apiUrl }: TestGateway) =>
    httpClient(apiUrl, { authorization: `Bearer ${secret}` });
  return [clientOf(gateways[0]), clientOf(gateways[1])];
}

/** Asserts that both gateways count together, which requires Redis. */
async function expectSharedCounting(): Promise<void> {
  const [one, other] = await newKey();
  const seen = [];
  for (const client of [one, other, one, other])
    seen.push(remaining(await client('GET', '/v1/events')));
  expect(seen).toEqual([999_999, 999_998, 999_997, 999_996]);
}

/**
 * Asserts that most of 50 requests do not wait for Redis, and that each response has the headers of
 * the limit. The baseline is a request that never uses Redis, measured alternately, because a busy
 * machine slows down both.
 */
async function expectNoWaiting(client: HttpClient): Promise<void> {
  const counted: number[] = [];
  const uncounted: number[] = [];
  for (let i = 0; i < 50; i++) {
    const startedAt = performance.now();
    const { status, headers } = await client('GET', '/v1/events');
    counted.push(performance.now() - startedAt);
    expect(status).toBe(200);
    expect(headers['ratelimit-policy']).toBe(`"default";q=1000000;w=${windowMs / 1000}`);
    expect(headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/);
    expect(headers['x-ratelimit-reset']).toMatch(/^\d+$/);
    const baselineAt = performance.now();
    await client('GET', '/unknown');
    uncounted.push(performance.now() - baselineAt);
  }
  // A counted request costs two more hops. One that waits for Redis takes 50 ms longer.
  expect(median(counted)).toBeLessThan(45 + 4 * median(uncounted));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Sends requests continuously to both gateways while `work` runs, and returns their statuses. */
async function whileSending(work: () => Promise<void>): Promise<number[]> {
  const clients = await newKey();
  const statuses = new Set<number>();
  let isDone = false;
  const sendContinuously = async (client: HttpClient) => {
    while (!isDone) statuses.add((await client('GET', '/v1/events')).status);
  };
  const running = clients.map(sendContinuously);
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all(running);
  }
  return [...statuses];
}

describe('Redis', () => {
  test('shares the counts of two gateways', () => eventually(expectSharedCounting));

  test('is stopped: requests are served without delay and each gateway counts alone', async () => {
    const [one, other] = await newKey();
    const statuses = await whileSending(async () => {
      await redis.kill();
      await expectNoWaiting(one);
      await expectNoWaiting(other);
    });
    expect(statuses).toEqual([200]);
    const [limited, limitedToo] = await newKey({ rateLimitPerMinute: 3 });
    for (const client of [limited, limitedToo]) {
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => client('GET', '/v1/events')),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
    }
  });

  test('is started again, empty: the gateways share counts again', async () => {
    const statuses = await whileSending(async () => {
      await redis.start();
      await eventually(expectSharedCounting);
    });
    expect(statuses).toEqual([200]);
  });

  test('hangs: the first request waits briefly, most do not wait', async () => {
    const [one] = await newKey();
    const [begun] = await newKey({ rateLimitPerMinute: 3 });
    await begun('GET', '/v1/events');
    await begun('GET', '/v1/events');
    const statuses = await whileSending(async () => {
      // A gateway without a timeout waits until the connection is closed, in every attempt.
      await eventually(async () => {
        redis.resume();
        // After a failed call a gateway does not use Redis for a second, and would not wait for it.
        await eventually(expectSharedCounting);
        await redis.stall();
        expect((await one('GET', '/v1/events')).status).toBe(200);
        expect(gateways[0].redis.isReady).toBe(true);
      });
      // It continues from the last count that it received and does not grant a second limit.
      expect((await begun('GET', '/v1/events')).status).toBe(200);
      expect((await begun('GET', '/v1/events')).status).toBe(429);
      await expectNoWaiting(one);
    });
    expect(statuses).toEqual([200]);
  });

  test('hangs until its connection is closed: requests are served without delay', async () => {
    const [one, other] = await newKey();
    await eventually(() =>
      expect(gateways.map((gateway) => gateway.redis.isReady)).toEqual([false, false]),
    );
    await expectNoWaiting(one);
    await expectNoWaiting(other);
  });

  test('resumes: the gateways share counts again', async () => {
    const statuses = await whileSending(async () => {
      redis.resume();
      await eventually(expectSharedCounting);
    });
    expect(statuses).toEqual([200]);
  });

  test('is killed and started again under load: no request fails', async () => {
    const statuses = await whileSending(async () => {
      for (let i = 0; i < 3; i++) {
        await redis.kill();
        await redis.start();
      }
      await eventually(expectSharedCounting);
    });
    expect(statuses).toEqual([200]);
  });

  test('is unavailable when a gateway starts: it serves, and connects later', async () => {
    await redis.kill();
    const late = await startGateway(optionsOf());
    const { client } = await late.createKey();
    expect((await client('GET', '/v1/events')).status).toBe(200);
    await redis.start();
    await eventually(() => expect(late.redis.isReady).toBe(true));
    await late.close();
  });
});
