import { createHash } from 'node:crypto';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { gateway, useGateway } from '../context.ts';

useGateway();

const create = (body: unknown) => gateway.operator('POST', '/operator/key.create', { body });
const newUnit = (name = 'A unit') => gateway.run('unit.create', { name });

describe('an operator operation', () => {
  const own = operatorOperations.filter(({ config }) => config.owner === 'gateway');
  const urls = own.map(({ url }) => url);

  test.each(urls)('%s answers 401 without an operator token', async (url) => {
    const { signer } = gateway.callers;
    const [admin, own, catalog] = await Promise.all(['admin', 'gateway', 'catalog'].map(signer));
    const tokens = {
      none: undefined,
      'for the API': await own?.sign({ audience: 'api', businessUnitId: 'unit_x' }),
      'for the API, signed by admin': await admin?.sign({ audience: 'api' }),
      'for a service': await catalog?.sign({ audience: 'service' }),
      'for operators, signed by the gateway': await own?.sign({ audience: 'operator' }),
      'for operators, signed by a service': await catalog?.sign({ audience: 'operator' }),
      nonsense: 'a.b.c',
    };
    for (const [kind, token] of Object.entries(tokens)) {
      const client = httpClient(gateway.internalUrl, token ? { 'x-caller': token } : {});
      const { status, body } = await client('POST', url, { body: {} });
      expect(status, kind).toBe(401);
      expect(body.error.status, kind).toBe('UNAUTHENTICATED');
    }
  });

  test('ignores an API key', async () => {
    const { secret } = await gateway.createKey();
    const client = httpClient(gateway.internalUrl, { authorization: `Bearer ${secret}` });
    expect((await client('POST', '/operator/unit.list', { body: {} })).status).toBe(401);
  });
});

describe('the two ports', () => {
  test.each([...operatorOperations.map(({ url }) => url), '/healthz', '/readyz', '/metrics'])(
    'the public one does not serve %s, with any credential',
    async (path) => {
      const { secret } = await gateway.createKey();
      const token = await (await gateway.callers.signer('admin')).sign({ audience: 'operator' });
      const headers = { 'x-caller': token, authorization: `Bearer ${secret}` };
      const client = httpClient(gateway.apiUrl, headers);
      for (const prefix of ['', '/v1', '/v1/events/..%2f..']) {
        expect((await client('GET', prefix + path)).status).toBe(404);
        expect((await client('POST', prefix + path, { body: {} })).status).toBe(404);
      }
    },
  );

  test.each(['/v1/events', '/v1/events/evt_x', '/openapi.json', '/docs'])(
    'the internal one does not serve %s',
    async (path) => {
      const { secret } = await gateway.createKey();
      const client = httpClient(gateway.internalUrl, { authorization: `Bearer ${secret}` });
      expect((await client('GET', path)).status).toBe(404);
    },
  );

  test('the internal one reports liveness and readiness', async () => {
    const client = httpClient(gateway.internalUrl);
    expect((await client('GET', '/healthz')).status).toBe(200);
    expect((await client('GET', '/readyz')).status).toBe(200);
  });
});

describe('unit.create and unit.list', () => {
  test('store the sent currency, by default EUR, and list the oldest first', async () => {
    const euro = await newUnit('Euro');
    const yen = await gateway.run('unit.create', { name: 'Yen', defaultCurrency: 'JPY' });
    expect([euro.defaultCurrency, yen.defaultCurrency]).toEqual(['EUR', 'JPY']);
    const { units } = await gateway.run('unit.list', {});
    expect(units.slice(-2)).toEqual([euro, yen]);
  });

  test.each([
    ['without a name', {}, 'name'],
    ['with a blank name', { name: '  ' }, 'name'],
    ['with an unknown currency', { name: 'x', defaultCurrency: 'ZZZ' }, 'defaultCurrency'],
  ])('return 400 %s', async (_, body, field) => {
    const response = await gateway.operator('POST', '/operator/unit.create', { body });
    expect(response.status).toBe(400);
    expect(response.body.error.details[0].field).toBe(field);
  });
});

describe('key.create', () => {
  test('returns the secret, pins the current version and forbids caching', async () => {
    const unit = await newUnit();
    const { status, headers, body } = await create({ businessUnitId: unit.id, name: ' A key ' });
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.secret).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^key_/),
      name: 'A key',
      version: '2026-08-22',
      rateLimitPerMinute: null,
      checkinRateLimitPerMinute: null,
      expiresAt: null,
      revokedAt: null,
      displayPrefix: body.secret.slice(0, 12),
    });
  });

  test('stores the SHA-256 of the secret and never the secret', async () => {
    const { key, secret } = await gateway.createKey();
    const [row] =
      (await gateway.sql?.('select * from gateway.api_key where id = $1', [key.id])) ?? [];
    expect(row?.secret_hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(secret.slice(12));
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a version that does not exist', { version: '2031-01-01' }, 'version'],
    ['a limit of zero', { rateLimitPerMinute: 0 }, 'rateLimitPerMinute'],
    ['a limit above ten million', { rateLimitPerMinute: 10_000_001 }, 'rateLimitPerMinute'],
    ['a limit of check-ins of zero', { checkinRateLimitPerMinute: 0 }, 'checkinRateLimitPerMinute'],
    ['a limit in words', { rateLimitPerMinute: '5' }, 'rateLimitPerMinute'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an expiry without an offset', { expiresAt: '2030-01-01T00:00:00' }, 'expiresAt'],
    ['a secret of the wrong shape', { secret: 'sk_live_short' }, 'secret'],
    ['no unit', { businessUnitId: undefined }, 'businessUnitId'],
  ])('returns 400 for %s', async (_, fields, field) => {
    const unit = await newUnit();
    const { status, body } = await create({ businessUnitId: unit.id, name: 'x', ...fields });
    expect(status).toBe(400);
    expect(body.error.details.map((issue: { field: string }) => issue.field)).toEqual([field]);
    expect(JSON.stringify(body)).not.toContain('sk_live_short');
  });

  test('returns 404 for the keys of an unknown unit, and names the field', async () => {
    const body = { businessUnitId: 'unit_unknown' };
    const response = await gateway.operator('POST', '/operator/key.list', { body });
    expect([response.status, response.body.error.details[0].field]).toEqual([
      404,
      'businessUnitId',
    ]);
  });

  test('returns 404 for an unknown unit', async () => {
    const { status, body } = await create({ businessUnitId: 'unit_nope', name: 'x' });
    expect([status, body.error.details[0].field]).toEqual([404, 'businessUnitId']);
  });

  test('returns 409 for a secret in use, and creates one key for two concurrent requests', async () => {
    const unit = await newUnit();
    const secret = `sk_live_${crypto.randomUUID().replaceAll('-', '')}`;
    const body = { businessUnitId: unit.id, name: 'x', secret };
    const both = await Promise.all([create(body), create(body)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const again = await create(body);
    expect(again.body.error.status).toBe('ALREADY_EXISTS');
    expect((await gateway.run('key.list', { businessUnitId: unit.id })).keys).toHaveLength(1);
  });
});
