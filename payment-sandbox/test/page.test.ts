import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@event-api/platform/core/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSandbox } from '../src/app.ts';
import { openSessions } from '../src/sessions.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-page-'));
const file = join(folder, 'sessions.jsonl');
const secrets = ['secret-of-the-pages'];
const sessionInput = {
  attemptId: 'pay_1',
  orderId: 'ord_1',
  orderNumber: 'ORD-12345678',
  amount: 500,
  currency: 'EUR',
  email: 'ada@example.com',
  title: 'Summit',
  successUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/basket',
  expiresAt: '2099-01-01T00:00:00.000Z',
};
const stored = { paymentId: null, receivedAmount: null, receivedCurrency: null, state: 'open' };
const encodedUrl = 'https://shop.example/%E6%97%A5%E6%9C%AC';

let sandbox: ReturnType<typeof buildSandbox>;
beforeAll(() => {
  // A URL that is not encoded.
  const old = { ...sessionInput, ...stored, id: 'cs_old', successUrl: 'https://shop.example/日本' };
  writeFileSync(file, `${JSON.stringify({ session: old })}\n`);
  sandbox = buildSandbox({
    sessions: openSessions(file),
    notifier: { notify: () => {}, close: async () => {} },
    secrets,
    publicUrl: 'http://localhost:8090',
    now: () => new Date(),
    log: createLogger({ service: 'payment-sandbox', level: 'silent' }),
  });
});
afterAll(async () => {
  await sandbox?.close();
  rmSync(folder, { recursive: true, force: true });
});

const headers = { authorization: `Bearer ${secrets[0]}` };
const create = (fields: object) =>
  sandbox.inject({
    method: 'POST',
    url: '/sessions',
    headers,
    payload: { ...sessionInput, ...fields },
  });
const asBrowser = (url: string) =>
  sandbox.inject({ method: 'POST', url, headers: { accept: 'text/html' } });

describe('the return URL', () => {
  test('is encoded when the session is created and redirects the browser after a payment', async () => {
    const session = (
      await create({ attemptId: 'pay_2', successUrl: 'https://shop.example/日本' })
    ).json();
    expect(session.successUrl).toBe(encodedUrl);
    const { statusCode, headers } = await asBrowser(`/pay/${session.id}/pay`);
    expect([statusCode, headers.location]).toEqual([303, encodedUrl]);
  });

  test('is encoded for a session that was stored with an unencoded URL', async () => {
    const { statusCode, headers } = await asBrowser('/pay/cs_old/pay');
    expect([statusCode, headers.location]).toEqual([303, encodedUrl]);
  });

  test.each(['nonsense', 'javascript:alert(1)', '//shop.example/'])(
    'responds 400 with the field name when it is %s',
    async (cancelUrl) => {
      const response = await create({ attemptId: 'pay_3', cancelUrl });
      expect([response.statusCode, response.json().error.details[0].field]).toEqual([
        400,
        'cancelUrl',
      ]);
    },
  );
});

describe('an expired session', () => {
  test('shows that it can no longer be paid and rejects a payment', async () => {
    const { id } = (await create({ attemptId: 'pay_4' })).json();
    await sandbox.inject({ method: 'POST', url: `/sessions/${id}/expire`, headers });
    const page = await sandbox.inject({ url: `/pay/${id}` });
    expect([page.statusCode, page.body]).toEqual([
      200,
      expect.stringContaining('can no longer be paid'),
    ]);
    const refused = await asBrowser(`/pay/${id}/pay`);
    expect([refused.statusCode, refused.headers['content-type'], refused.body]).toEqual([
      412,
      'text/html; charset=utf-8',
      expect.stringContaining('can no longer be paid'),
    ]);
    const session = await sandbox.inject({ url: `/sessions/${id}`, headers });
    expect(session.json()).toMatchObject({ state: 'expired', paymentId: null });
  });
});

describe('an error', () => {
  test.each([
    ['an invalid switch', '/pay/cs_old/pay?amount=none', 400],
    ['an unknown session', '/pay/cs_unknown/pay', 404],
  ])('about %s is a page for a browser and an envelope for a script', async (_, url, status) => {
    const page = await asBrowser(url);
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(page.body).toContain('<h1>');
    const script = await sandbox.inject({ method: 'POST', url });
    expect([script.statusCode, script.json().error.code]).toEqual([status, status]);
  });
});
