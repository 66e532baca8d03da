import { readPdf, readSvgCodes } from '@event-api/platform/testing/badges';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectStatus } from './fixtures/bus.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let call: HttpClient;
let path: string;
let badge: string;
let checkinCode: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const event = { name: 'Spring Summit', timezone: 'UTC' };
  const { headers } = await call('POST', '/v1/events', { body: event });
  path = headers.location ?? '';
  const type = { name: 'Standard' };
  const { id } = await expectStatus(call, ['POST', `${path}/ticket-types`, type], 201);
  await expectStatus(call, ['PATCH', `${path}/ticket-types/${id}`, { status: 'open' }]);
  const guest = { email: 'ada@example.com', name: 'Ada Lovelace', registrationTypeId: id };
  const created = await expectStatus(call, ['POST', `${path}/registrations`, guest], 201);
  checkinCode = created.registration.checkinCode;
  badge = `${path}/registrations/${created.registration.id}/badge`;
});

const scan = (code: string | undefined) =>
  call('POST', `${path}/checkins`, { body: { checkinCode: code, subjectType: 'event' } });

describe('the badge of a registration', () => {
  test('checks in with the QR code of its SVG, and again with that of its PDF', async () => {
    const svg = await call('GET', badge);
    expect(svg.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': 'inline; filename="badge.svg"',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    const [code, ...others] = await readSvgCodes(svg.body);
    expect([code, others]).toEqual([checkinCode, []]);
    expect(await scan(code)).toMatchObject({ status: 201, body: { alreadyCheckedIn: false } });
    const pdf = await call('GET', `${badge}?format=pdf`);
    expect(pdf.headers['content-type']).toBe('application/pdf');
    const [page] = await readPdf(pdf.body);
    for (const text of ['Ada Lovelace', 'Standard', 'Spring Summit', checkinCode]) {
      expect(page?.text).toContain(text);
    }
    const again = await scan(page?.codes[0]);
    expect(again).toMatchObject({ status: 200, body: { alreadyCheckedIn: true } });
  });

  test('has the names that its event and its ticket type were given in the request before', async () => {
    await expectStatus(call, ['PATCH', path, { name: 'Autumn Summit' }]);
    const { body } = await call('GET', badge);
    expect(body).toContain('<title>Ada Lovelace – Autumn Summit – Standard</title>');
  });

  test('is compressed for clients that accept it, with the same bytes', async () => {
    const { body } = await call('GET', badge, { headers: { 'accept-encoding': 'identity' } });
    const gzip = await call('GET', badge, { headers: { 'accept-encoding': 'gzip' } });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gzip.body).toBe(body);
  });
});
