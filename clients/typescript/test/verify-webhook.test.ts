import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const verifyKey = `whpk_${raw.toString('base64')}`;
const now = new Date('2027-05-10T07:00:00Z');
const body = JSON.stringify({ id: 'chg_1', type: 'order.paid' });
const timestamp = String(now.getTime() / 1000);
const v1 = new Webhook(secret).sign('chg_1', now, body);
const v1a = `v1a,${sign(null, Buffer.from(`chg_1.${timestamp}.${body}`), privateKey).toString('base64')}`;
const headers = (signature: string, changes: Record<string, string> = {}) => ({
  'webhook-id': 'chg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': signature,
  ...changes,
});

test.each([
  ['of the standardwebhooks library', secret, headers(v1)],
  ['among several', secret, headers(`v1,AAAA ${v1a} ${v1}`)],
  ['with the public key', verifyKey, headers(`${v1} ${v1a}`)],
  ['in a Headers object', secret, new Headers(headers(v1))],
])('accepts a signature %s', async (_, key, sent) => {
  expect(await verifyWebhook({ key, headers: sent, body, now })).toEqual(JSON.parse(body));
});

const later = new Date(now.getTime() + 301_000);
test.each([
  ['another body', { body: `${body} ` }],
  ['another id', { headers: headers(v1, { 'webhook-id': 'chg_2' }) }],
  ['another timestamp', { headers: headers(v1, { 'webhook-timestamp': `${+timestamp + 1}` }) }],
  ['another secret', { key: `whsec_${randomBytes(32).toString('base64')}` }],
  ['a signature of the other version', { key: verifyKey }],
  ['a request of six minutes ago', { now: later }],
  ['no headers', { headers: {} }],
  ['a key of another kind', { key: 'sk_live_x' }],
  ['a signature that is not base64', { headers: headers('v1,***') }],
])('rejects %s', async (_, changes) => {
  await expect(
    verifyWebhook({ key: secret, headers: headers(v1), body, now, ...changes }),
  ).rejects.toBeInstanceOf(WebhookVerificationError);
});
