import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decrypt, encrypt, readKeyRing, reencrypt } from './key-ring.ts';

const newKey = () => randomBytes(32).toString('base64url');

describe('an encrypted secret', () => {
  const [old, next] = [newKey(), newKey()];
  const before = readKeyRing([old]);
  const during = readKeyRing([next, old]);
  const after = readKeyRing([next]);

  test('is readable with every key of the ring that encrypted it', () => {
    const text = encrypt(before, 'rec_1', 'secret_x');
    expect(text).not.toContain('secret_x');
    expect(decrypt(before, 'rec_1', text)).toBe('secret_x');
    expect(decrypt(during, 'rec_1', text)).toBe('secret_x');
    expect(() => decrypt(after, 'rec_1', text)).toThrow('does not contain the key');
  });

  test('differs in each encryption', () => {
    expect(encrypt(before, 'rec_1', 'x')).not.toBe(encrypt(before, 'rec_1', 'x'));
  });

  test('is not readable as that of another record', () => {
    const text = encrypt(before, 'rec_1', 'secret_x');
    expect(() => decrypt(before, 'rec_2', text)).toThrow();
  });

  test('is not readable after a change', () => {
    const text = encrypt(before, 'rec_1', 'secret_x');
    const [id, packed = ''] = text.split('.');
    const bytes = Buffer.from(packed, 'base64url');
    for (let n = 0; n < bytes.length; n++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(n) ^ 1, n);
      expect(() => decrypt(before, 'rec_1', `${id}.${changed.toString('base64url')}`)).toThrow();
    }
  });

  test('is encrypted again with the first key, once', () => {
    const text = encrypt(before, 'rec_1', 'secret_x');
    const again = reencrypt(during, 'rec_1', text);
    expect(decrypt(after, 'rec_1', again)).toBe('secret_x');
    expect(reencrypt(during, 'rec_1', again)).toBe(again);
  });
});

test('a key ring rejects a malformed key without showing it', () => {
  expect(() => readKeyRing([])).toThrow('empty');
  expect(() => readKeyRing([newKey(), 'short-key'])).toThrow(/^a key must be 32 bytes/);
});
