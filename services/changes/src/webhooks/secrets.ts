import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { SigningKeys } from './signing.ts';
import type { PreviousSecret } from './webhooks.rules.ts';

/** The keys that encrypt the secrets of endpoints. The first one encrypts; all decrypt. */
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

/** Encrypts a secret of an endpoint with the first key. The result is bound to the endpoint. */
export function encrypt([{ id, key }]: KeyRing, endpointId: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId, 'utf8'));
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const packed = Buffer.concat([nonce, encrypted, cipher.getAuthTag()]);
  return `${id}.${packed.toString('base64url')}`;
}

/**
 * Decrypts a secret of an endpoint. Errors: the ring does not contain its key; the text was changed
 * or belongs to another endpoint.
 */
export function decrypt(ring: KeyRing, endpointId: string, text: string): string {
  const [id, packed = ''] = text.split('.');
  const found = ring.find((candidate) => candidate.id === id);
  if (!found) throw new Error('the key ring does not contain the key of a secret');
  const bytes = Buffer.from(packed, 'base64url');
  const tagAt = bytes.length - tagBytes;
  const decipher = createDecipheriv(algorithm, found.key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(endpointId, 'utf8'))
    .setAuthTag(bytes.subarray(tagAt));
  const secret = decipher.update(bytes.subarray(nonceBytes, tagAt));
  return Buffer.concat([secret, decipher.final()]).toString('utf8');
}

/**
 * Encrypts a text of an endpoint again with the first key. Returns it unchanged if that key has
 * encrypted it.
 */
export function reencrypt(ring: KeyRing, endpointId: string, text: string): string {
  if (text.startsWith(`${ring[0].id}.`)) return text;
  return encrypt(ring, endpointId, decrypt(ring, endpointId, text));
}

const secretPrefix = 'whsec_';
const privateKeyPrefix = 'whsk_';
const publicKeyPrefix = 'whpk_';

/** A new secret: `whsec_` and 32 random bytes in base64. */
export const createSecret = (): string =>
  `${secretPrefix}${randomBytes(keyBytes).toString('base64')}`;

/**
 * A new Ed25519 pair: `whsk_` with the 32 bytes of the private key and the 32 of the public one,
 * and `whpk_` with the public key, in base64.
 */
export function createSigningPair(): { signingKey: string; publicKey: string } {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [privateBytes, publicBytes] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  return {
    signingKey: `${privateKeyPrefix}${Buffer.concat([privateBytes, publicBytes]).toString('base64')}`,
    publicKey: `${publicKeyPrefix}${publicBytes.toString('base64')}`,
  };
}

/** The encrypted secrets of an endpoint. */
export interface EncryptedSecrets {
  id: string;
  secret: string;
  previousSecrets: readonly PreviousSecret[];
  signingKey: string;
}

/** Decrypts what signs the deliveries of an endpoint at a time. Errors: as for decryption. */
export function signingKeysOf(
  ring: KeyRing,
  { id, secret, previousSecrets, signingKey }: EncryptedSecrets,
  now: Date,
): SigningKeys {
  const valid = previousSecrets.filter(({ until }) => new Date(until) > now);
  const texts = [secret, ...valid.map((previous) => previous.secret)];
  return {
    secrets: texts.map((text) => bytesOf(decrypt(ring, id, text), secretPrefix)),
    signingKey: privateKeyOf(bytesOf(decrypt(ring, id, signingKey), privateKeyPrefix)),
  };
}

const bytesOf = (text: string, prefix: string): Buffer =>
  Buffer.from(text.slice(prefix.length), 'base64');

function privateKeyOf(bytes: Buffer): KeyObject {
  const d = bytes.subarray(0, keyBytes).toString('base64url');
  const x = bytes.subarray(keyBytes).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}
