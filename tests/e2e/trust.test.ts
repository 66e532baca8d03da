import { revokeKey } from '@event-api/contracts/operator/keys';
import { currentVersion } from '@event-api/contracts/version';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
beforeAll(async () => {
  platform = await sharedPlatform();
});

const withKey = (secret: string) =>
  httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });

describe('every response', () => {
  let call: HttpClient;
  let keyId: string;

  beforeAll(async () => {
    const unit = await platform.newUnit();
    keyId = unit.keyId;
    call = withKey(unit.secret);
  });

  test('contains the version that served it, which a request can select', async () => {
    const request = (version: string) =>
      call('GET', '/v1/events', { headers: { 'service-version': version } });
    expect((await call('GET', '/v1/events')).headers['service-version']).toBe(currentVersion);
    expect((await request(currentVersion)).status).toBe(200);
    const unknown = await request('2020-02-30');
    expect(unknown.status).toBe(400);
    expect(unknown.body.error.details[0].field).toBe('Service-Version');
    expect(unknown.headers['service-version']).toBe(currentVersion);
  });

  test('contains the remaining rate limit, and Retry-After when rejected', async () => {
    const hasty = withKey((await platform.newUnit({ rateLimitPerMinute: 2 })).secret);
    // A new rate limit window may start in between; then the attempt is repeated.
    const responses = await eventually(async () => {
      const tried: TestResponse[] = [];
      for (let i = 0; i < 3; i++) tried.push(await hasty('GET', '/v1/events'));
      expect(tried.map(({ status }) => status).at(-1)).toBe(429);
      return tried;
    });
    const [last] = responses.toReversed();
    expect(last?.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect(last?.headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect(last?.body.error.status).toBe('RESOURCE_EXHAUSTED');
    expect((await call('GET', '/v1/events')).status).toBe(200);
  });

  test('a key is rejected with 401 soon after its revocation', async () => {
    await platform.operator.call(revokeKey, { id: keyId });
    await eventually(async () => {
      expect((await call('GET', '/v1/events')).status).toBe(401);
    });
    const unknown = await withKey(`sk_live_${'x'.repeat(32)}`)('GET', '/v1/events');
    expect((await call('GET', '/v1/events')).body).toEqual(unknown.body);
  });
});

test('an id of another business unit in a body has the same response as an unknown id', async () => {
  const create = async (body: object) => {
    const call = withKey((await platform.newUnit()).secret);
    const event = await call('POST', '/v1/events', { body: { name: 'A', timezone: 'UTC' } });
    const path = `${event.headers.location}/bundles`;
    const type = await call('POST', `${event.headers.location}/ticket-types`, { body });
    return {
      id: type.body.id,
      put: (items: object[]) => call('POST', path, { body: { name: 'B', items } }),
    };
  };
  const mine = await create({ name: 'Mine' });
  const theirs = await create({ name: 'Theirs' });
  const itemType = 'registration_type';
  expect((await mine.put([{ itemType, itemId: mine.id }])).status).toBe(201);
  const otherTenant = await mine.put([{ itemType, itemId: theirs.id }]);
  const missing = await mine.put([{ itemType, itemId: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah' }]);
  expect(otherTenant.status).toBe(400);
  expect(otherTenant.body).toEqual(missing.body);
});

describe('a service', () => {
  test.each([
    ['no caller token', {}],
    ['a malformed token', { 'x-caller': 'nonsense' }],
    ['an empty token', { 'x-caller': '' }],
    ['an unsigned token', { 'x-caller': unsigned({ iss: 'gateway', aud: 'api' }) }],
  ])('responds with 401 to requests that bypass the gateway with %s', async (_case, headers) => {
    const { secret } = await platform.newUnit();
    const direct = httpClient(platform.apiUrlOf('catalog'), headers as Record<string, string>);
    for (const path of ['/v1/events', '/v1/nothing', '/operator/unit.list']) {
      const response = await direct('GET', path, {
        headers: { authorization: `Bearer ${secret}` },
      });
      expect(response.status).toBe(401);
      expect(response.body.error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    }
  });

  test('ignores a caller token that a client sends through the gateway', async () => {
    const owner = await platform.newUnit();
    await withKey(owner.secret)('POST', '/v1/events', {
      body: { name: 'Theirs', timezone: 'UTC' },
    });
    const { secret } = await platform.newUnit();
    const claim = { 'x-caller': unsigned({ iss: 'gateway', aud: 'api', unit: owner.unitId }) };
    const { body } = await withKey(secret)('GET', '/v1/events', { headers: claim });
    expect(body).toEqual({ events: [], nextCursor: null });
  });

  test('serves operator commands and health checks only on its internal listener', async () => {
    const { secret } = await platform.newUnit();
    for (const path of ['/operator/unit.list', '/healthz', '/readyz', '/metrics']) {
      expect((await withKey(secret)('POST', path, { body: {} })).status).toBe(404);
      expect((await withKey(secret)('GET', path)).status).toBe(404);
    }
  });
});

/** Returns a token with an empty signature. */
function unsigned(claims: Record<string, string>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(performance.timeOrigin / 1000);
  return `${part({ alg: 'none' })}.${part({ ...claims, iat, exp: iat + 60 })}.`;
}
