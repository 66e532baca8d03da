import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGatewayDatabase,
  gatewaySecond,
  insertUnseenKey,
  startGateway,
  startUpstream,
  type TestGateway,
} from '../harness.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let gateways: [TestGateway, TestGateway];
const queriedStatements: string[] = [];
let now = () => new Date();

beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
  const clock = { now: () => now() };
  const options = { catalogUrl: upstream.url, databaseUrl: database.url, clock };
  gateways = [
    await startGateway({
      ...options,
      onKeyQuery: (statement) => queriedStatements.push(statement),
    }),
    await startGateway(options),
  ];
});
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.close()));
  await upstream?.close();
  await database?.drop();
});

const use = async (gateway: TestGateway, secret: string) => {
  const client = httpClient(gateway.apiUrl, { authorization: `Bearer ${secret}` });
  return (await client('GET', '/v1/events')).status;
};
const onBoth = (secret: string) => Promise.all(gateways.map((gateway) => use(gateway, secret)));

/**
 * Resolves when the first gateway starts to poll for changed keys, so that its next poll is a full
 * interval away.
 */
async function nextPoll(): Promise<void> {
  const polls = () => queriedStatements.filter((name) => name === 'changed_keys').length;
  const before = polls();
  await eventually(() => expect(polls()).toBeGreaterThan(before));
}

/**
 * Uses a key on both gateways for one second of their clock. Returns the statuses of the requests
 * after that.
 */
async function useForASecond(secret: string): Promise<number[]> {
  let isOver = false;
  const using = (async () => {
    while (!isOver) await onBoth(secret);
  })();
  await gatewaySecond(() => database.sql('select 1'));
  isOver = true;
  await using;
  return onBoth(secret);
}

const countLookups = () => queriedStatements.filter((name) => name === 'key_by_hash').length;

describe('revocation', () => {
  test('takes effect within one second on every gateway, under constant use', async () => {
    const { key, secret } = await gateways[0].createKey({ rateLimitPerMinute: 1_000_000 });
    expect(await onBoth(secret)).toEqual([200, 200]);
    await nextPoll();
    await gateways[1].run('key.revoke', { id: key.id });
    expect(await useForASecond(secret)).toEqual([401, 401]);
  });

  test('is final, and a second revocation keeps the time of the first', async () => {
    const { key, secret } = await gateways[0].createKey();
    const first = await gateways[0].run('key.revoke', { id: key.id });
    expect(await gateways[1].run('key.revoke', { id: key.id })).toEqual(first);
    await eventually(async () => expect(await onBoth(secret)).toEqual([401, 401]));
  });

  test('revokes one key and keeps the other keys of the unit', async () => {
    const { unit, key, secret } = await gateways[0].createKey();
    const other = await gateways[0].run('key.create', { businessUnitId: unit.id, name: 'Other' });
    await gateways[0].run('key.revoke', { id: key.id });
    await eventually(async () => expect(await onBoth(secret)).toEqual([401, 401]));
    expect(await onBoth(other.secret)).toEqual([200, 200]);
  });

  test('returns 404 for an unknown key', async () => {
    const { status } = await gateways[0].operator('POST', '/operator/key.revoke', {
      body: { id: 'key_nope' },
    });
    expect(status).toBe(404);
  });
});

describe('key.update', () => {
  test('applies a limit and an expiry within one second on every gateway, under constant use', async () => {
    const { key, secret } = await gateways[0].createKey({ rateLimitPerMinute: 2 });
    await eventually(async () => expect(await onBoth(secret)).toEqual([429, 429]));
    await nextPoll();
    await gateways[1].run('key.update', { id: key.id, rateLimitPerMinute: 1_000_000 });
    expect(await useForASecond(secret)).toEqual([200, 200]);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await gateways[1].run('key.update', { id: key.id, expiresAt: expiresAt.toISOString() });
    now = () => expiresAt;
    try {
      expect(await useForASecond(secret)).toEqual([401, 401]);
      await gateways[1].run('key.update', { id: key.id, expiresAt: null });
      expect(await useForASecond(secret)).toEqual([200, 200]);
    } finally {
      now = () => new Date();
    }
  });

  test('keeps fields left out, and does not reactivate a revoked key', async () => {
    const { unit, key, secret } = await gateways[0].createKey({ rateLimitPerMinute: 7 });
    const renamed = await gateways[0].run('key.update', { id: key.id, name: 'Till' });
    const { secret: _, ...visible } = key;
    expect(renamed).toEqual({ ...visible, name: 'Till' });
    const scans = { id: key.id, checkinRateLimitPerMinute: 9000 };
    expect(await gateways[0].run('key.update', scans)).toMatchObject({
      rateLimitPerMinute: 7,
      checkinRateLimitPerMinute: 9000,
    });
    const unlimited = await gateways[0].run('key.update', { id: key.id, rateLimitPerMinute: null });
    expect(unlimited.rateLimitPerMinute).toBeNull();
    await gateways[0].run('key.revoke', { id: key.id });
    const { keys } = await gateways[0].run('key.list', { businessUnitId: unit.id });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(await gateways[0].run('key.update', { id: key.id, expiresAt })).toEqual({
      ...keys[0],
      expiresAt,
    });
    await eventually(async () => expect(await onBoth(secret)).toEqual([401, 401]));
  });

  test.each([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, [400, 'expiresAt']],
    ['a limit of zero', { rateLimitPerMinute: 0 }, [400, 'rateLimitPerMinute']],
    ['an unknown key', { id: 'key_nope' }, [404, 'id']],
  ])('rejects %s', async (_, fields, expected) => {
    const { key } = await gateways[0].createKey();
    const { status, body } = await gateways[0].operator('POST', '/operator/key.update', {
      body: { id: key.id, ...fields },
    });
    expect([status, body.error.details[0].field]).toEqual(expected);
  });
});

describe('a new key', () => {
  test('is accepted by every gateway from the next request on', async () => {
    const { secret } = await gateways[0].createKey();
    expect(await onBoth(secret)).toEqual([200, 200]);
  });

  test('is accepted within a second after both gateways have rejected it as unknown', async () => {
    const secret = `sk_live_${crypto.randomUUID().replaceAll('-', '')}`;
    expect(await onBoth(secret)).toEqual([401, 401]);
    expect(await onBoth(secret)).toEqual([401, 401]);
    const unit = await gateways[0].run('unit.create', { name: 'Late' });
    await gateways[0].run('key.create', {
      businessUnitId: unit.id,
      name: 'Late',
      secret,
      rateLimitPerMinute: 1_000_000,
    });
    expect(await useForASecond(secret)).toEqual([200, 200]);
  });
});

describe('expiry', () => {
  test('is checked by the gateway, to the millisecond and without a query', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { secret } = await gateways[0].createKey({ expiresAt: expiresAt.toISOString() });
    expect(await use(gateways[0], secret)).toBe(200);
    const before = countLookups();
    now = () => new Date(expiresAt.getTime() - 1);
    expect(await use(gateways[0], secret)).toBe(200);
    now = () => expiresAt;
    expect(await use(gateways[0], secret)).toBe(401);
    now = () => new Date();
    expect(countLookups()).toBe(before);
  });
});

describe('the database', () => {
  test('gets one query for fifty concurrent first uses of a key', async () => {
    const secret = await insertUnseenKey(database.sql);
    const before = countLookups();
    const statuses = await Promise.all(Array.from({ length: 50 }, () => use(gateways[0], secret)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(countLookups() - before).toBe(1);
  });

  test('gets one query for repeated uses of an unknown key', async () => {
    const before = countLookups();
    const secret = `sk_live_${crypto.randomUUID().replaceAll('-', '')}`;
    for (let i = 0; i < 10; i++) expect(await use(gateways[0], secret)).toBe(401);
    expect(countLookups() - before).toBe(1);
  });

  test('gets no query for a malformed key', async () => {
    const before = countLookups();
    for (const secret of [
      'x',
      'sk_live_',
      `sk_test_${'a'.repeat(32)}`,
      `sk_live_${'-'.repeat(32)}`,
    ]) {
      expect(await use(gateways[0], secret)).toBe(401);
    }
    expect(countLookups()).toBe(before);
  });
});
