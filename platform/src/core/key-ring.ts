import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The keys that encrypt stored secrets. The first one encrypts; all decrypt. */
export type KeyRing = readonly [RingKey, ...RingKey[]];

interface RingKey {
  /** Part of each encrypted text, so that decryption finds its key. */
  id: string;
  key: KeyObject;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Reads a key ring. Each key is 32 bytes in base64url. Errors: no key, or a malformed one; the
 * message shows none.
 */
export function readKeyRing(keys: readonly string[]): KeyRing {
  const [first, ...others] = keys.map((text) => {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== keyBytes) throw new Error('a key must be 32 bytes in base64url');
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    return { id, key: createSecretKey(bytes) };
  });
  if (!first) throw new Error('the key ring is empty');
  return [first, ...others];
}

/** Encrypts a secret of a record with the first key. The result is bound to the id of the record. */
export function encrypt([{ id, key }]: KeyRing, recordId: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(recordId, 'utf8'));
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const packed = Buffer.concat([nonce, encrypted, cipher.getAuthTag()]);
  return `${id}.${packed.toString('base64url')}`;
}

/**
 * Decrypts a secret of a record. Errors: the ring does not contain its key; the text was changed
 * or belongs to another record.
 */
export function decrypt(ring: KeyRing, recordId: string, text: string): string {
  const [id, packed = ''] = text.split('.');
  const found = ring.find((candidate) => candidate.id === id);
  if (!found) throw new Error('the key ring does not contain the key of a secret');
  const bytes = Buffer.from(packed, 'base64url');
  const tagAt = bytes.length - tagBytes;
  const decipher = createDecipheriv(algorithm, found.key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(recordId, 'utf8'))
    .setAuthTag(bytes.subarray(tagAt));
  const secret = decipher.update(bytes.subarray(nonceBytes, tagAt));
  return Buffer.concat([secret, decipher.final()]).toString('utf8');
}

/**
 * Encrypts a text of a record again with the first key. Returns it unchanged if that key has
 * encrypted it.
 */
export function reencrypt(ring: KeyRing, recordId: string, text: string): string {
  if (text.startsWith(`${ring[0].id}.`)) return text;
  return encrypt(ring, recordId, decrypt(ring, recordId, text));
}
