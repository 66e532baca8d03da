import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@event-api/platform/core/log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildSandbox } from '../src/app.ts';
import { createNotifier, type Notifier } from '../src/notify.ts';
import { openSessions, type Session, type Sessions } from '../src/sessions.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-switches-'));
const secrets = ['secret-of-the-switches'];
const holdEndsAt = new Date('2027-01-01T12:15:00Z');
const inTime = new Date('2027-01-01T12:00:00Z');

let now = inTime;
let sandbox: ReturnType<typeof buildSandbox>;
let sessions: Sessions;
let notifier: Notifier;

// biome-ignore lint/suspicious/noExplicitAny: the notifications are inspected.
const notifications: any[] = [];
let statuses: number[] = [];
const platform = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  notifications.push(JSON.parse(body));
  response.writeHead(statuses.shift() ?? 200).end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const log = createLogger({ service: 'payment-sandbox', level: 'silent' });
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  sessions = openSessions(join(folder, 'sessions.jsonl'));
  notifier = createNotifier({ url, secrets, now: () => now, log });
  const publicUrl = 'http://localhost:8090';
  sandbox = buildSandbox({ sessions, notifier, secrets, publicUrl, now: () => now, log });
});
afterAll(async () => {
  await notifier?.close();
  await sandbox?.close();
  platform.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  now = inTime;
  notifications.length = 0;
  statuses = [];
});

const opened = (attemptId: string): Session =>
  sessions.create({
    attemptId,
    orderId: `ord_${attemptId}`,
    orderNumber: 'ORD-12345678',
    amount: 500,
    currency: 'EUR',
    email: 'ada@example.com',
    title: 'Summit',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/basket',
    expiresAt: holdEndsAt.toISOString(),
  });

async function pay({ id }: Session, how: string): Promise<string> {
  const response = await sandbox.inject({ method: 'POST', url: `/pay/${id}/pay${how}` });
  return response.json().state;
}

const notifiedTypes = () => notifications.map(({ type }) => type);

test('sends earlier notifications after the payment was accepted when notify is reversed', async () => {
  statuses = [503];
  const session = opened('reversed');
  expect(await pay(session, '?notify=reversed')).toBe('paid');
  await expect
    .poll(notifiedTypes)
    .toEqual(['session.paid', 'session.paid', 'session.declined', 'session.expired']);
  const [, paid, declined, expired] = notifications.map((each) => each.session);
  const same = { id: session.id, attemptId: 'reversed', orderId: 'ord_reversed' };
  expect(paid).toMatchObject({
    ...same,
    amount: 500,
    paymentId: sessions.find(session.id, now)?.paymentId,
  });
  expect(declined).toMatchObject({ ...same, amount: 500 });
  expect(declined.paymentId).not.toBe(paid.paymentId);
  expect(expired).toMatchObject({ ...same, paymentId: null, amount: null });
});

test.each([
  ['past its expiry', () => (now = holdEndsAt)],
  ['that the platform expired', (session: Session) => sessions.expire(session)],
])('accepts one late payment of a session %s, and only with the switch', async (word, end) => {
  const session = opened(word);
  end(session);
  const refused = await sandbox.inject({ method: 'POST', url: `/pay/${session.id}/pay` });
  expect([refused.statusCode, refused.json().error.details]).toEqual([
    412,
    [{ reason: 'SESSION_ENDED' }],
  ]);
  expect(await pay(session, '?late=1&amount=7')).toBe('paid');
  expect(await pay(session, '?late=1&amount=8')).toBe('paid');
  await expect.poll(notifiedTypes).toEqual(['session.paid']);
  expect(notifications[0].session).toMatchObject({ id: session.id, amount: 7 });
});

test('sends a notification for each declined card of an open session, and none for an ended one', async () => {
  const session = opened('declined');
  const decline = () => sandbox.inject({ method: 'POST', url: `/pay/${session.id}/decline` });
  expect((await decline()).json()).toEqual({ state: 'open', declined: true });
  await decline();
  await expect.poll(notifiedTypes).toEqual(['session.declined', 'session.declined']);
  const [one, other] = notifications.map((each) => each.session);
  expect(one).toMatchObject({ id: session.id, attemptId: 'declined', amount: 500 });
  expect(other.paymentId).not.toBe(one.paymentId);
  sessions.expire(session);
  await decline();
  expect(await pay(opened('after'), '')).toBe('paid');
  await expect.poll(notifiedTypes).toHaveLength(3);
  expect(notifiedTypes().at(-1)).toBe('session.paid');
});

describe('a refund', () => {
  const refund = ({ id }: Session, how = '') =>
    sandbox.inject({ method: 'POST', url: `/pay/${id}/refund${how}` });

  test.each([
    ['', ['refund.created']],
    ['notify=twice', ['refund.created', 'refund.created']],
    ['notify=never', []],
    ['fails=1', ['refund.created', 'refund.failed']],
    ['fails=1&notify=reversed', ['refund.failed', 'refund.created']],
  ])('at the provider with "%s" sends %j', async (how, types) => {
    const session = opened(`refund ${how}`);
    await pay(session, '?notify=never');
    const { id, amount } = (await refund(session, `?amount=200&${how}`)).json();
    expect(amount).toBe(200);
    await expect.poll(notifiedTypes).toHaveLength(types.length);
    expect(notifiedTypes()).toEqual(types);
    for (const notification of notifications) {
      const about = { id, refundId: null, amount: 200, currency: 'EUR' };
      expect(notification.refund).toMatchObject(about);
    }
    const left = how.includes('fails') ? 500 : 300;
    expect((await refund(session, `?amount=${left + 1}&notify=never`)).statusCode).toBe(412);
    expect((await refund(session, '?notify=never')).json()).toMatchObject({ amount: left });
    expect((await refund(session)).statusCode).toBe(412);
  });

  test('of a session that is not paid is refused', async () => {
    expect((await refund(opened('unpaid refund'))).statusCode).toBe(412);
    const unknown = await sandbox.inject({ method: 'POST', url: '/pay/cs_unknown/refund' });
    expect(unknown.statusCode).toBe(404);
  });

  test('that the platform requests is notified once, with its id', async () => {
    const session = opened('own refund');
    await pay(session, '?notify=never');
    const { paymentId } = sessions.find(session.id, now) ?? session;
    const payload = { refundId: 'rfd_1', paymentId, amount: 100 };
    const headers = { authorization: `Bearer ${secrets[0]}` };
    const request = { method: 'POST', url: '/refunds', payload, headers } as const;
    const first = (await sandbox.inject(request)).json();
    expect((await sandbox.inject(request)).json()).toEqual(first);
    await expect.poll(notifiedTypes).toEqual(['refund.created']);
    expect(notifications[0].refund).toMatchObject({
      id: first.id,
      refundId: 'rfd_1',
      state: 'done',
    });
  });
});
