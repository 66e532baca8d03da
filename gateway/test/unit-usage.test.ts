import { randomInt } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { createLogger } from '@event-api/platform/core/log';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  type GatewayOptions,
  startGateway,
  startUpstream,
  type TestGateway,
} from './harness.ts';

const minuteMs = 60_000;
let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateway: TestGateway;
let second: TestGateway;

/** All gateways of the run share one Redis, so each test has an hour of its own. */
let now = 0;
const clock = { now: () => new Date(now) };

beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  const options: GatewayOptions = {
    catalogUrl: upstream.url,
    databaseUrl: database.url,
    clock,
    usageReportIntervalMs: 20,
  };
  gateway = await startGateway(options);
  second = await startGateway(options);
});
afterAll(async () => {
  await gateway?.close();
  await second?.close();
  await upstream?.close();
  await database?.drop();
});
beforeEach(() => {
  now = randomInt(1, 400_000) * 60 * minuteMs;
  upstream.respondWith((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"ok":true}'),
  );
});

const usage = (minutes?: number) => gateway.run('unit.usage', minutes ? { minutes } : {});
const clientOf = (target: TestGateway, secret: string) =>
  httpClient(target.apiUrl, { authorization: `Bearer ${secret}` });

describe('unit.usage', () => {
  test('adds up the requests of all gateways, and names the heaviest unit and its keys', async () => {
    const [heavy, light] = [await gateway.createKey(), await gateway.createKey()];
    const another = await gateway.run('key.create', {
      businessUnitId: heavy.unit.id,
      name: 'Another key',
    });
    for (const target of [gateway, second]) {
      for (let i = 0; i < 3; i++) await clientOf(target, heavy.secret)('GET', '/v1/events');
    }
    await clientOf(second, another.secret)('GET', '/v1/nothing');
    await light.client('GET', '/v1/events');
    await eventually(async () => {
      const found = await usage();
      expect(found).toMatchObject({
        from: new Date(now - 4 * minuteMs).toISOString(),
        until: new Date(now).toISOString(),
        requests: 8,
        refused: 0,
      });
      expect(found.units).toMatchObject([
        {
          businessUnitId: heavy.unit.id,
          name: 'Test unit',
          share: 0.875,
          requests: 7,
          credentials: [
            { id: heavy.key.id, requests: 6 },
            { id: another.id, requests: 1 },
          ],
        },
        { businessUnitId: light.unit.id, share: 0.125, requests: 1 },
      ]);
    });
  });

  test('counts requests that were refused with a 429', async () => {
    const { client, unit, key } = await gateway.createKey({ rateLimitPerMinute: 1 });
    for (let i = 0; i < 3; i++) await client('GET', '/v1/events');
    await eventually(async () => {
      const { units } = await usage();
      expect(units).toMatchObject([
        {
          businessUnitId: unit.id,
          requests: 3,
          refused: 2,
          credentials: [{ id: key.id, requests: 3, refused: 2 }],
        },
      ]);
    });
  });

  test('counts a request whose client disconnects', async () => {
    const { secret } = await gateway.createKey();
    const arrived = Promise.withResolvers<void>();
    upstream.respondWith(() => arrived.resolve());
    const abandoned = rawRequest(`${gateway.apiUrl}/v1/events`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    abandoned.on('error', () => {});
    abandoned.end();
    await arrived.promise;
    expect(await usage()).toMatchObject({ requests: 0 });
    abandoned.destroy();
    await eventually(async () => expect(await usage()).toMatchObject({ requests: 1 }));
  });

  test('does not count the time of a request that waits on purpose', async () => {
    const { client } = await gateway.createKey();
    upstream.respondWith((_request, response) => {
      setTimeout(
        () => response.setHeader('content-type', 'application/json').end('{"ok":true}'),
        120,
      );
    });
    await client('GET', '/v1/changes?wait=5');
    await eventually(async () => {
      expect(await usage()).toMatchObject({ requests: 1, busySeconds: 0 });
    });
    await client('GET', '/v1/events');
    await eventually(async () => {
      const { requests, busySeconds } = await usage();
      expect({ requests, isBusy: busySeconds >= 0.1 }).toEqual({ requests: 2, isBusy: true });
    });
  });

  test('covers the given minutes, with the present one', async () => {
    const { client } = await gateway.createKey();
    await client('GET', '/v1/events');
    await eventually(async () => expect(await usage(1)).toMatchObject({ requests: 1 }));
    now += minuteMs;
    expect(await usage(1)).toMatchObject({ requests: 0, units: [] });
    expect(await usage(2)).toMatchObject({ requests: 1 });
  });

  test('names the field of a wrong number of minutes', async () => {
    for (const minutes of [0, 16, 1.5]) {
      const { status, body } = await gateway.operator('POST', '/operator/unit.usage', {
        body: { minutes },
      });
      expect(status).toBe(400);
      expect(body.error.details).toMatchObject([{ field: 'minutes' }]);
    }
  });

  test('is a 503 without Redis, and requests go on', async () => {
    const lines: string[] = [];
    const log = createLogger({
      service: 'gateway',
      level: 'warn',
      destination: { write: (line: string) => void lines.push(line) },
    });
    const alone = await startGateway({
      catalogUrl: upstream.url,
      databaseUrl: database.url,
      log,
      usageReportIntervalMs: 20,
    });
    try {
      const { client } = await alone.createKey();
      alone.redis.destroy();
      expect((await client('GET', '/v1/events')).status).toBe(200);
      const response = await alone.operator('POST', '/operator/unit.usage', { body: {} });
      expect(response.body).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
      await eventually(() =>
        expect(lines.join()).toContain('failed to report the usage of business units'),
      );
    } finally {
      await alone.close();
    }
  });
});

describe('the metric of the heaviest units', () => {
  const ranks = async (target: TestGateway) => {
    const { body } = await httpClient(target.internalUrl)('GET', '/metrics');
    const lines = String(body).matchAll(/^gateway_heaviest_unit_requests\{rank="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, rank, count]) => [rank, Number(count)]));
  };

  test('shows the last complete minute of all gateways by rank, and no id', async () => {
    const [heavy, light] = [await gateway.createKey(), await gateway.createKey()];
    for (let i = 0; i < 4; i++) await clientOf(second, heavy.secret)('GET', '/v1/events');
    await light.client('GET', '/v1/events');
    await eventually(async () => expect(await usage(1)).toMatchObject({ requests: 5 }));
    // A gateway may report some seconds after the end of a minute.
    now += minuteMs + 5000;
    for (const target of [gateway, second]) {
      await eventually(async () =>
        expect(await ranks(target)).toEqual({ 1: 4, 2: 1, 3: 0, 4: 0, 5: 0, rest: 0 }),
      );
    }
    const { body } = await httpClient(gateway.internalUrl)('GET', '/metrics');
    expect(body).not.toMatch(/(unit|key)_[0-9a-z]{26}/);
    now += 2 * minuteMs;
    await eventually(async () => expect((await ranks(gateway))[1]).toBe(0));
  });

  test('is missing while Redis does not respond, instead of showing an old minute', async () => {
    const alone = await startGateway({
      catalogUrl: upstream.url,
      databaseUrl: database.url,
      clock,
      usageReportIntervalMs: 20,
    });
    try {
      await eventually(async () => expect((await ranks(alone)).rest).toBe(0));
      alone.redis.destroy();
      now += 4 * minuteMs;
      await eventually(async () => expect(await ranks(alone)).toEqual({}));
    } finally {
      await alone.close();
    }
  });
});
