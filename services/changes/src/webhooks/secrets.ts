import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { decrypt, type KeyRing } from '@event-api/platform/core/key-ring';
import type { SigningKeys } from './signing.ts';
import type { PreviousSecret } from './webhooks.rules.ts';

const keyBytes = 32;

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
