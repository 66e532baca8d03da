import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient } from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { docsPaths } from '../src/docs/docs.routes.ts';
import { event, newInstallation, services } from './devices/context.ts';
import { startGateway, startUpstream, type TestGateway } from './harness.ts';
import { expectEnvelope } from './raw.ts';

const publicUrl = 'https://api.example.com';
const random = 'Zz0'.repeat(10);

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
/** A gateway of a cell, and one of the default cell. */
let eu2: TestGateway;
let unnamed: TestGateway;
/** The names of the statements about keys of the gateway of the cell. */
const keyQueries: string[] = [];
beforeAll(async () => {
  [upstream, redis] = [await startUpstream(), await startPrivateRedis()];
  upstream.respondWith(services);
  const scannerFolder = mkdtempSync(join(inject('runFolder'), 'scanner-'));
  writeFileSync(join(scannerFolder, 'index.html'), '<title>Scanner</title>');
  eu2 = await startGateway({
    ...{ catalogUrl: upstream.url, redisUrl: redis.url, cell: 'eu2', publicUrl, scannerFolder },
    anonymousRateLimit: 200,
    onKeyQuery: (name) => keyQueries.push(name),
  });
  unnamed = await startGateway({ catalogUrl: upstream.url });
});
afterAll(async () => {
  await eu2?.close();
  await unnamed?.close();
  await redis?.close();
  await upstream?.close();
});

const withBearer = (gateway: TestGateway, bearer: string) =>
  httpClient(gateway.apiUrl, { authorization: `Bearer ${bearer}` });
async function get(path: string, { apiUrl } = eu2) {
  const response = await fetch(new URL(path, apiUrl), { redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, header: (name: string) => response.headers.get(name), text };
}
const newDevice = async () => {
  const { id: businessUnitId } = await eu2.run('unit.create', { name: 'Unit' });
  return eu2.run('device.pair', {
    ...{ businessUnitId, eventId: event.id, name: 'Door' },
    doors: [{ subjectType: 'event' }],
  });
};
const pair = (bearer: string, gateway = eu2) =>
  withBearer(gateway, bearer)('POST', '/v1/device/pair', {
    body: { installationId: newInstallation() },
  });

describe('the credentials of a cell', () => {
  test('have its name and work there, and are displayed with four characters of the secret', async () => {
    const { key, secret, client } = await eu2.createKey();
    expect(secret).toMatch(/^sk_live_eu2_[0-9A-Za-z]{32}$/);
    expect(key.displayPrefix).toBe(secret.slice(0, 'sk_live_eu2_'.length + 4));
    expect((await client('GET', `/v1/events/${event.id}`)).status).toBe(200);
    const restricted = await eu2.createKey({ groups: ['read'] });
    expect(restricted.secret).toMatch(/^rk_live_eu2_[0-9A-Za-z]{32}$/);
    const old = await unnamed.createKey();
    expect(old.secret).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    expect(old.key.displayPrefix).toBe(old.secret.slice(0, 'sk_live_'.length + 4));
  });

  test('are the pairing code, whose address is below the path of the cell, and the token', async () => {
    const { code, url } = await newDevice();
    expect(code).toMatch(/^pc_live_eu2_[0-9A-Za-z]{32}$/);
    expect(url).toBe(`${publicUrl}/cells/eu2/scanner/#${code}`);
    const { status, body } = await pair(code);
    expect([status, body.token]).toEqual([
      200,
      expect.stringMatching(/^dk_live_eu2_[0-9A-Za-z]{32}$/),
    ]);
    expect((await withBearer(eu2, body.token)('GET', '/v1/device')).status).toBe(200);
  });

  test.each<[string, (code: string) => string]>([
    ['as it is shown', (code) => code],
    ['in lower case without dashes', (code) => code.toLowerCase().replaceAll('-', '')],
  ])('are the short code with its name, typed %s', async (_, typed) => {
    const { shortCode } = await newDevice();
    expect(shortCode).toMatch(/^EU2-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect((await pair(typed(shortCode))).status).toBe(200);
  });

  test('can be chosen for a key only with its name', async () => {
    const { unit } = await eu2.createKey();
    const create = (secret: string) =>
      eu2.operator('POST', '/operator/key.create', {
        body: { businessUnitId: unit.id, name: 'Chosen', secret },
      });
    const own = `sk_live_eu2_${random}aa`;
    expect((await create(own)).body).toMatchObject({ secret: own });
    for (const secret of [`sk_live_us1_${random}aa`, `sk_live_${random}aa`]) {
      const { status, body } = await create(secret);
      const details = [{ field: 'secret', issue: 'must be of cell eu2' }];
      expect([status, body.error]).toMatchObject([400, { details }]);
    }
  });
});

describe('a credential of another cell', () => {
  test.each([
    ['a key', `sk_live_us1_${random}aa`, 'cell us1'],
    ['a key without a cell', `sk_live_${random}aa`, 'the default cell'],
    ['a token', `dk_live_us1_${random}aa`, 'cell us1'],
    ['a short code', 'US1-K7QM-3XTB', 'cell us1'],
    ['a short code without a cell', 'K7QM-3XTB', 'the default cell'],
  ])('is a 401 that names both cells, without a look-up: %s', async (_, bearer, cell) => {
    const before = keyQueries.length;
    const response = await withBearer(eu2, bearer)('GET', '/v1/events');
    expect(expectEnvelope(response, 401, 'UNAUTHENTICATED').message).toBe(
      `A valid API key is required: this one names ${cell}, and the request has reached cell eu2`,
    );
    expect(response.headers['www-authenticate']).toBe('Bearer');
    const own = keyQueries.slice(before).filter((name) => !/changed|usable/.test(name));
    expect(own).toEqual([]);
  });

  test('is a 401 that names both cells in the default cell, too', async () => {
    const { secret } = await eu2.createKey();
    const response = await withBearer(unnamed, secret)('GET', '/v1/events');
    expect(expectEnvelope(response, 401).message).toBe(
      'A valid API key is required: this one names cell eu2, and the request has reached the default cell',
    );
    expect((await pair((await newDevice()).shortCode, unnamed)).status).toBe(401);
  });

  test('that only begins like one is the 401 of any other text', async () => {
    const cut = await withBearer(eu2, `sk_live_us1_${random}a`)('GET', '/v1/events');
    expect(expectEnvelope(cut, 401).message).toBe('A valid API key is required');
  });
});

describe('without a credential', () => {
  test('a cell serves its path as others serve theirs, and no path of another cell', async () => {
    for (const path of ['/docs/', '/openapi.json', '/scanner/', '/docs/guides/quick-start']) {
      const [own, named] = [await get(path), await get(`/cells/eu2${path}`)];
      expect([own.status, named.status], path).toEqual([200, 200]);
      expect(named.text, path).toBe(own.text);
    }
    for (const path of ['/cells/us1/docs/', '/cells/eu2', '/cells/eu2/cells/eu2/docs/'])
      expect((await get(path)).status, path).toBe(404);
    expect((await get('/cells/eu2/docs/', unnamed)).status).toBe(404);
    expect((await get('/cells/eu2/v1/events')).status).toBe(401);
    const preflight = await httpClient(eu2.apiUrl)('OPTIONS', '/cells/eu2/v1/claims');
    expect(preflight.status).toBe(204);
  });

  test('its redirects stay below its path', async () => {
    const moved = ['/docs', '/docs/guides', '/scanner', '/', '/favicon.ico'];
    for (const path of moved) {
      const { header } = await get(`/cells/eu2${path}`);
      expect(header('location'), path).toMatch(/^\/cells\/eu2\/(docs|scanner)\//);
    }
  });

  test('forwards payment notifications at its path', async () => {
    const before = upstream.received.length;
    const notify = httpClient(eu2.apiUrl, { 'stripe-signature': 't=1,v1=2' });
    await notify('POST', '/cells/eu2/payments/notifications/stripe', { body: { id: 1 } });
    const [received] = upstream.received.slice(before);
    expect(received).toMatchObject({
      method: 'POST',
      url: '/payments/notifications/stripe',
      body: '{"id":1}',
    });
  });

  test('every link of its documentation stays below its path and leads somewhere', async () => {
    const links = new Set<string>();
    for (const path of [...docsPaths, '/openapi.json'].filter((each) => !/\/js\//.test(each))) {
      const { text, header } = await get(`/cells/eu2${path}`);
      if (header('content-type')?.includes('svg')) continue;
      for (const [, link = ''] of text.matchAll(
        /["'`(>](\/(?:cells\/\w+\/)?(?:docs\/?|openapi\.json|llms\.txt)[^"'`)<#\s\\]*)/g,
      ))
        links.add(link);
    }
    expect(links.size).toBeGreaterThan(20);
    expect([...links].filter((link) => !link.startsWith('/cells/eu2/'))).toEqual([]);
    for (const link of links) {
      if (link.endsWith('client.tgz')) continue;
      expect([200, 301], link).toContain((await get(link)).status);
    }
  });

  test('its document names the public address, the cell and the form of its keys', async () => {
    const body = JSON.parse((await get('/cells/eu2/openapi.json')).text);
    expect(body.servers).toEqual([
      { url: publicUrl, description: expect.stringContaining('cell eu2') },
    ]);
    expect(body.info.description).toContain('Bearer sk_live_eu2_…');
    const ofDefault = JSON.parse((await get('/openapi.json', unnamed)).text);
    expect(ofDefault.servers).toMatchObject([{ url: '/' }]);
    expect(ofDefault.info.description).toContain('Bearer sk_live_…');
  });
});

describe('a business unit', () => {
  test('belongs to the cell that creates it', async () => {
    const create = (gateway: TestGateway, input: object) =>
      gateway.operator('POST', '/operator/unit.create', { body: { name: 'Unit', ...input } });
    expect((await create(eu2, {})).body).toMatchObject({ cell: 'eu2' });
    expect((await create(eu2, { cell: 'eu2' })).body).toMatchObject({ cell: 'eu2' });
    const inDefault = await create(unnamed, { cell: null });
    expect(inDefault.body).toMatchObject({ cell: null });
    const { id: businessUnitId } = inDefault.body;
    expect(await unnamed.run('unit.get', { businessUnitId })).toMatchObject({ cell: null });
    expect((await eu2.run('unit.list', {})).units).toContainEqual(
      expect.objectContaining({ cell: 'eu2' }),
    );
  });

  test.each([
    ['us1', () => eu2, 'The command is for cell us1, and this is cell eu2', 'eu2'],
    [null, () => eu2, 'The command is for the default cell, and this is cell eu2', 'eu2'],
    ['eu2', () => unnamed, 'The command is for cell eu2, and this is the default cell', null],
  ])('for the cell %j is refused elsewhere, and not created', async (cell, at, message, own) => {
    const gateway = at();
    const count = async () => (await gateway.run('unit.list', {})).units.length;
    const before = await count();
    const refused = await gateway.operator('POST', '/operator/unit.create', {
      body: { name: 'Unit', cell },
    });
    const details = [{ reason: 'OTHER_CELL', cell: own, wanted: cell }];
    expect(refused.status).toBe(412);
    expect(refused.body.error).toMatchObject({ status: 'FAILED_PRECONDITION', message, details });
    expect(await count()).toBe(before);
  });

  test('cannot have a cell with another form of name', async () => {
    const refused = await eu2.operator('POST', '/operator/unit.create', {
      body: { name: 'Unit', cell: 'EU-2' },
    });
    expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field: 'cell' }]]);
  });
});

// The last test: it blocks this address.
test('credentials of other cells count toward the limit of bad keys of an address', async () => {
  const statuses = new Set<number>();
  for (let tries = 0; tries < 250 && !statuses.has(429); tries++) {
    statuses.add((await withBearer(eu2, 'US1-K7QM-3XTB')('GET', '/v1/events')).status);
  }
  expect([...statuses]).toEqual([401, 429]);
});
