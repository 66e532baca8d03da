import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createSecret,
  createSigningPair,
  decrypt,
  encrypt,
  readKeyRing,
  reencrypt,
  signingKeysOf,
} from './secrets.ts';
import { sign } from './signing.ts';

const newKey = () => randomBytes(32).toString('base64url');

describe('an encrypted secret', () => {
  const [old, next] = [newKey(), newKey()];
  const before = readKeyRing([old]);
  const during = readKeyRing([next, old]);
  const after = readKeyRing([next]);

  test('is readable with every key of the ring that encrypted it', () => {
    const text = encrypt(before, 'whe_1', 'whsec_x');
    expect(text).not.toContain('whsec_x');
    expect(decrypt(before, 'whe_1', text)).toBe('whsec_x');
    expect(decrypt(during, 'whe_1', text)).toBe('whsec_x');
    expect(() => decrypt(after, 'whe_1', text)).toThrow('does not contain the key');
  });

  test('differs in each encryption', () => {
    expect(encrypt(before, 'whe_1', 'x')).not.toBe(encrypt(before, 'whe_1', 'x'));
  });

  test('is not readable as that of another endpoint', () => {
    const text = encrypt(before, 'whe_1', 'whsec_x');
    expect(() => decrypt(before, 'whe_2', text)).toThrow();
  });

  test('is not readable after a change', () => {
    const text = encrypt(before, 'whe_1', 'whsec_x');
    const [id, packed = ''] = text.split('.');
    const bytes = Buffer.from(packed, 'base64url');
    for (let n = 0; n < bytes.length; n++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(n) ^ 1, n);
      expect(() => decrypt(before, 'whe_1', `${id}.${changed.toString('base64url')}`)).toThrow();
    }
  });

  test('is encrypted again with the first key, once', () => {
    const text = encrypt(before, 'whe_1', 'whsec_x');
    const again = reencrypt(during, 'whe_1', text);
    expect(decrypt(after, 'whe_1', again)).toBe('whsec_x');
    expect(reencrypt(during, 'whe_1', again)).toBe(again);
  });
});

test('a key ring rejects a malformed key without showing it', () => {
  expect(() => readKeyRing([])).toThrow('empty');
  expect(() => readKeyRing([newKey(), 'short-key'])).toThrow(/^a key must be 32 bytes/);
});

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
