import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { encrypt, readKeyRing } from '@event-api/platform/core/key-ring';
import { expect, test } from 'vitest';
import { createSecret, createSigningPair, signingKeysOf } from './secrets.ts';
import { sign } from './signing.ts';

const newKey = () => randomBytes(32).toString('base64url');

test('a signature verifies with the public key, and has one part for each valid secret', () => {
  const ring = readKeyRing([newKey()]);
  const now = new Date('2027-05-10T07:00:00.000Z');
  const { signingKey, publicKey } = createSigningPair();
  const endpoint = {
    id: 'whe_1',
    secret: encrypt(ring, 'whe_1', createSecret()),
    signingKey: encrypt(ring, 'whe_1', signingKey),
    previousSecrets: ['2027-05-10T07:00:00.001Z', '2027-05-10T07:00:00.000Z'].map((until) => ({
      secret: encrypt(ring, 'whe_1', createSecret()),
      until,
    })),
  };
  const keys = signingKeysOf(ring, endpoint, now);
  const header = sign('{"ä":1}', { id: 'chg_1', timestamp: 1_800_000_000, ...keys });
  const [first, second, asymmetric, ...others] = header.split(' ');
  expect(others).toEqual([]);
  expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(second).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(asymmetric).toMatch(/^v1a,/);
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signature = Buffer.from((asymmetric ?? '').slice('v1a,'.length), 'base64');
  const content = (body: string) => Buffer.from(`chg_1.1800000000.${body}`);
  expect(verify(null, content('{"ä":1}'), key, signature)).toBe(true);
  expect(verify(null, content('{"ä":2}'), key, signature)).toBe(false);
});
