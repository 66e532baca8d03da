import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { revokeKey } from '@event-api/contracts/operator/keys';
import { currentVersion } from '@event-api/contracts/version';
import { eventually } from '@event-api/platform/testing/eventually';
import { type Answer, type Client, httpClient } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GivenPlatform, givenPlatform } from './given-platform.ts';

let platform: GivenPlatform;
beforeAll(async () => {
  platform = await givenPlatform();
});
afterAll(() => platform?.stop());

const withKey = (secret: string) =>
  httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });

const reasonsOf = ({ body }: Answer) => body.error.details.map(({ reason }: never) => reason);

describe('an integrator', () => {
  let call: Client;
  let secret: string;
  let keyId: string;
  let event: string;
  let ticketType: string;

  beforeAll(async () => {
    ({ secret, keyId } = await platform.newUnit({ defaultCurrency: 'JPY' }));
    call = withKey(secret);
  });

  test('creates a draft event in the currency of the business unit', async () => {
    const made = await call('POST', '/v1/events', {
      body: { name: ' Spring Summit ', timezone: 'europe/berlin' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: 'Spring Summit',
      status: 'draft',
      timezone: 'Europe/Berlin',
      currency: 'JPY',
      startsAt: null,
      features: [],
    });
    event = made.headers.location ?? '';
    expect((await call('GET', event)).body).toEqual(made.body);
    const { body } = await call('GET', '/v1/events');
    expect(body).toEqual({ events: [made.body], nextCursor: null });
  });

  test('learns what is missing before the event can be published', async () => {
    const refused = await call('PATCH', event, { body: { status: 'published' } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toEqual([
      { field: 'startsAt', issue: expect.any(String), code: 'required' },
    ]);
    const published = await call('PATCH', event, {
      body: { status: 'published', startsAt: '2027-05-10T09:00:00+02:00' },
    });
    expect(published.body).toMatchObject({
      status: 'published',
      startsAt: '2027-05-10T07:00:00.000Z',
      publishedAt: expect.any(String),
    });
  });

  test('makes ticket types and reads them in the order of the shop', async () => {
    const types = `${event}/ticket-types`;
    const late = await call('POST', types, { body: { name: 'Late', sortOrder: 20 } });
    const early = await call('POST', types, {
      body: { name: 'Early', sortOrder: 10, capacity: 50, priceAmount: 9900 },
    });
    expect(early.body).toMatchObject({ status: 'draft', counts: { confirmed: 0, waitlisted: 0 } });
    ticketType = early.headers.location ?? '';
    const first = await call('GET', `${types}?limit=1`);
    expect(first.body.ticketTypes).toEqual([early.body]);
    const second = await call('GET', `${types}?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ ticketTypes: [late.body], nextCursor: null });
  });

  test('opens, reprices and closes a ticket type, and cannot take it back to draft', async () => {
    const moves = [{ status: 'open' }, { priceAmount: 12900 }, { status: 'closed' }];
    for (const body of moves) {
      expect(await call('PATCH', ticketType, { body })).toMatchObject({ status: 200, body });
    }
    const refused = await call('PATCH', ticketType, { body: { status: 'draft' } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].code).toBe('invalid_transition');
    expect((await call('GET', ticketType)).body).toMatchObject({
      status: 'closed',
      priceAmount: 12900,
    });
  });

  test('moves the hour freely, and the date once it is confirmed', async () => {
    const later = await call('PATCH', event, { body: { startsAt: '2027-05-10T23:30:00+02:00' } });
    expect(later.status).toBe(200);
    const move = { startsAt: '2027-05-11T00:30:00+02:00' };
    const refused = await call('PATCH', event, { body: move });
    expect(refused.status).toBe(412);
    expect(reasonsOf(refused)).toEqual(['AGENDA_RESET_UNCONFIRMED']);
    expect((await call('GET', event)).body).toEqual(later.body);
    const moved = await call('PATCH', event, { body: { ...move, confirmAgendaReset: true } });
    expect(moved.body.startsAt).toBe('2027-05-10T22:30:00.000Z');
  });

  test('archives the event for good: it can be read, and nothing new be made in it', async () => {
    const archived = await call('POST', `${event}/archive`);
    expect(archived.body.status).toBe('archived');
    expect((await call('POST', `${event}/archive`)).body).toEqual(archived.body);
    const refused = await call('POST', `${event}/ticket-types`, { body: { name: 'Too late' } });
    expect(refused.status).toBe(412);
    expect(reasonsOf(refused)).toEqual(['EVENT_ARCHIVED']);
    expect((await call('PATCH', event, { body: { name: 'Other' } })).status).toBe(400);
    expect((await call('GET', `${event}/ticket-types`)).body.ticketTypes).toHaveLength(2);
  });

  test('reads in every answer the version that served it, and may ask for one', async () => {
    const asked = (version: string) =>
      call('GET', '/v1/events', { headers: { 'service-version': version } });
    expect((await call('GET', '/v1/events')).headers['service-version']).toBe(currentVersion);
    expect((await asked(currentVersion)).status).toBe(200);
    const unknown = await asked('2020-02-30');
    expect(unknown.status).toBe(400);
    expect(unknown.body.error.details[0].field).toBe('Service-Version');
    expect(unknown.headers['service-version']).toBe(currentVersion);
  });

  test('reads in every answer what is left of the limit, and is told when to come back', async () => {
    const hasty = await platform.newUnit({ rateLimitPerMinute: 2 });
    const hastyCall = withKey(hasty.secret);
    // The minute may turn in between; then it simply begins anew.
    const answers = await eventually(async () => {
      const tried: Answer[] = [];
      for (let i = 0; i < 3; i++) tried.push(await hastyCall('GET', '/v1/events'));
      expect(tried.map(({ status }) => status).at(-1)).toBe(429);
      return tried;
    });
    const [last] = answers.toReversed();
    expect(last?.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect(last?.headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect(last?.body.error.status).toBe('RESOURCE_EXHAUSTED');
    expect((await call('GET', '/v1/events')).status).toBe(200);
  });

  test('is locked out within a second of the revocation of the key', async () => {
    await platform.operator.call(revokeKey, { id: keyId });
    await eventually(async () => {
      expect((await call('GET', '/v1/events')).status).toBe(401);
    }, 1000);
    const unknown = await withKey(`sk_live_${'x'.repeat(32)}`)('GET', '/v1/events');
    expect((await call('GET', '/v1/events')).body).toEqual(unknown.body);
  });
});

test('an id in a body that is foreign is answered like one that nothing has', async () => {
  const made = async (body: object) => {
    const call = withKey((await platform.newUnit()).secret);
    const event = await call('POST', '/v1/events', { body: { name: 'A', timezone: 'UTC' } });
    const path = `${event.headers.location}/bundles`;
    const type = await call('POST', `${event.headers.location}/ticket-types`, { body });
    return {
      id: type.body.id,
      put: (items: object[]) => call('POST', path, { body: { name: 'B', items } }),
    };
  };
  const mine = await made({ name: 'Mine' });
  const theirs = await made({ name: 'Theirs' });
  const itemType = 'registration_type';
  expect((await mine.put([{ itemType, itemId: mine.id }])).status).toBe(201);
  const foreign = await mine.put([{ itemType, itemId: theirs.id }]);
  const missing = await mine.put([{ itemType, itemId: 'tt_01k8zq4m3ne7rbj5t2xw9vd6ah' }]);
  expect(foreign.status).toBe(400);
  expect(foreign.body).toEqual(missing.body);
});

test('the tour of the README works as it stands there', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const tour = /```sh\n(API=[^`]+)```/.exec(readme)?.[1] ?? '';
  const { secret } = await platform.newUnit();
  const { stdout } = await promisify(execFile)('bash', [
    '-euc',
    tour
      .replace('$(cat .data/demo-api-key)', secret)
      .replace('http://localhost:8080', platform.baseUrl),
  ]);
  expect(stdout).toContain('"status":"published"');
  expect(stdout).toMatch(/\{"ticketTypes":\[\{.*"name":"Standing room".*"nextCursor":null\}$/);
});

describe('a service', () => {
  test.each([
    ['no word on who asks', {}],
    ['no token', { 'x-caller': 'nonsense' }],
    ['an empty token', { 'x-caller': '' }],
    ['a token that nobody signed', { 'x-caller': unsigned({ iss: 'gateway', aud: 'api' }) }],
  ])('answers 401 to whoever comes past the gateway with %s', async (_case, headers) => {
    const { secret } = await platform.newUnit();
    const direct = httpClient(platform.apiUrlOf('catalog'), headers as Record<string, string>);
    for (const path of ['/v1/events', '/v1/nothing', '/operator/unit.list']) {
      const answer = await direct('GET', path, { headers: { authorization: `Bearer ${secret}` } });
      expect(answer.status).toBe(401);
      expect(answer.body.error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    }
  });

  test('does not take the word of a client through the gateway', async () => {
    const victim = await platform.newUnit();
    await withKey(victim.secret)('POST', '/v1/events', {
      body: { name: 'Theirs', timezone: 'UTC' },
    });
    const { secret } = await platform.newUnit();
    const claim = { 'x-caller': unsigned({ iss: 'gateway', aud: 'api', unit: victim.unitId }) };
    const { body } = await withKey(secret)('GET', '/v1/events', { headers: claim });
    expect(body).toEqual({ events: [], nextCursor: null });
  });

  test('shows operator commands and health on its internal listener only', async () => {
    const { secret } = await platform.newUnit();
    for (const path of ['/operator/unit.list', '/healthz', '/readyz', '/metrics']) {
      expect((await withKey(secret)('POST', path, { body: {} })).status).toBe(404);
      expect((await withKey(secret)('GET', path)).status).toBe(404);
    }
  });
});

/** A token with an empty signature, for an hour. */
function unsigned(claims: Record<string, string>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(performance.timeOrigin / 1000);
  return `${part({ alg: 'none' })}.${part({ ...claims, iat, exp: iat + 60 })}.`;
}
