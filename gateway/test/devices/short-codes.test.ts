import { shortCodeLetters } from '@event-api/contracts/http/devices';
import { httpClient } from '@event-api/platform/testing/http-client';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, startUpstream, type TestGateway } from '../harness.ts';
import { doors, event, newInstallation, services } from './context.ts';

let gateway: TestGateway;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
// The tries of other tests count elsewhere.
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let time = Date.now();
beforeAll(async () => {
  [upstream, redis] = [await startUpstream(), await startPrivateRedis()];
  upstream.respondWith(services);
  gateway = await startGateway({
    ...{ catalogUrl: upstream.url, redisUrl: redis.url, trustProxy: ['127.0.0.1'] },
    clock: { now: () => new Date(time) },
    windowMs: 3_600_000,
  });
});
afterAll(async () => {
  await gateway?.close();
  await redis?.close();
  await upstream?.close();
});

async function newCode() {
  const unit = await gateway.run('unit.create', { name: 'Unit' });
  return gateway.run('device.pair', {
    ...{ businessUnitId: unit.id, eventId: event.id, name: 'Door' },
    doors: [{ subjectType: 'event' }],
  });
}

let addresses = 0;
const newAddress = () => `10.2.${Math.floor(++addresses / 250)}.${addresses % 250}`;

/** Tries a code as a scanner at this address, by default at one that has tried nothing yet. */
const pair = (code: string, from = newAddress()) =>
  httpClient(gateway.apiUrl, { authorization: `Bearer ${code}`, 'x-forwarded-for': from })(
    'POST',
    '/v1/device/pair',
    { body: { installationId: newInstallation() } },
  );

describe('a short code', () => {
  test('of eight clear letters comes with each pairing code, and only its hash is stored', async () => {
    const { shortCode, doors: ofDevice } = await newCode();
    expect(shortCode).toMatch(new RegExp(`^[${shortCodeLetters}]{4}-[${shortCodeLetters}]{4}$`));
    expect(ofDevice).toEqual([{ subjectType: 'event', subjectId: doors.event }]);
    const stored = JSON.stringify(await gateway.sql?.('select * from gateway.api_key'));
    expect(stored).not.toContain(shortCode);
    expect(stored).not.toContain(shortCode.replace('-', ''));
  });

  test.each<[string, (code: string) => string]>([
    ['as it is shown', (code) => code],
    ['in lower case', (code) => code.toLowerCase()],
    ['without its dash', (code) => code.replace('-', '')],
  ])('pairs a device %s, once, and its pairing code with it', async (_, typed) => {
    const { code, shortCode } = await newCode();
    const paired = await pair(typed(shortCode));
    expect([paired.status, paired.body.device?.name]).toEqual([200, 'Door']);
    expect([(await pair(shortCode)).status, (await pair(code)).status]).toEqual([401, 401]);
  });

  test('is used up by its pairing code, and pairs one of several scanners at once', async () => {
    const first = await newCode();
    expect((await pair(first.code)).status).toBe(200);
    expect((await pair(first.shortCode)).status).toBe(401);
    const { code, shortCode } = await newCode();
    const tries = [code, shortCode, shortCode, code, shortCode].map((each) => pair(each));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  test('is valid for ten minutes, and until its device is revoked', async () => {
    const [late, revoked] = [await newCode(), await newCode()];
    await gateway.run('device.revoke', {
      ...{ businessUnitId: revoked.businessUnitId, id: revoked.id },
    });
    expect((await pair(revoked.shortCode)).status).toBe(401);
    time += 10 * 60_000 + 1000;
    const response = await pair(late.shortCode);
    time = Date.now();
    expect(response.status).toBe(401);
  });

  test('pairs only: with it, every other operation is the 403 of a pairing code', async () => {
    const { code, shortCode } = await newCode();
    const statuses = [code, shortCode].map(async (each) => {
      const client = httpClient(gateway.apiUrl, { authorization: `Bearer ${each}` });
      return (await client('GET', '/v1/events')).status;
    });
    expect(await Promise.all(statuses)).toEqual([403, 403]);
  });

  test('that is wrong is the 401 of a wrong key', async () => {
    const key = `sk_live_${'0'.repeat(32)}`;
    const [wrong, unknown] = [await pair('ABCD-2345'), await pair(key)];
    expect(wrong.body).toEqual(unknown.body);
    const namesOf = (headers: object) => Object.keys(headers).toSorted();
    expect(namesOf(wrong.headers)).toEqual(namesOf(unknown.headers));
  });
});

describe('guessing short codes', () => {
  test('is a 429 after 30 tries of an address, also with the right one; its QR works on', async () => {
    const from = newAddress();
    for (let n = 0; n < 30; n++) expect((await pair('ABCD-2345', from)).status).toBe(401);
    const { code, shortCode } = await newCode();
    const refused = await pair(shortCode, from);
    expect([refused.status, refused.body.error.status]).toEqual([429, 'RESOURCE_EXHAUSTED']);
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect((await pair(code, from)).status).toBe(200);
  });

  // The last test: no short code works any more.
  test('is a 429 after 300 tries of many addresses; a QR works on', async () => {
    let tries = 0;
    while ((await pair('ABCD-2345')).status === 401) tries += 1;
    expect(tries).toBeGreaterThan(200);
    expect(tries).toBeLessThan(300);
    const { code, shortCode } = await newCode();
    expect((await pair(shortCode)).status).toBe(429);
    expect((await pair(code)).status).toBe(200);
  });
});
