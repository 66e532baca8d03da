import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readTextFile, writePrivateFile } from './secret-files.ts';

/** An Ed25519 key as a JSON Web Key. Only a private key has `d`. */
export interface Ed25519Jwk {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  kid: string;
  x: string;
  d?: string;
}

export interface CallerKeys<Issuer extends string> {
  /** The key that each process signs with. */
  private: Record<Issuer, Ed25519Jwk>;
  /** The keys that verify the tokens of an issuer; several while a key is replaced. */
  public: Record<Issuer, Ed25519Jwk[]>;
}

/**
 * The keys of these issuers of caller tokens. The first call generates them and stores them in a
 * file that only its owner can read; later calls generate keys for new issuers only.
 */
export function callerKeys<Issuer extends string>(
  dataDir: string,
  issuers: readonly Issuer[],
): CallerKeys<Issuer> {
  const file = join(dataDir, 'caller-keys.json');
  const existing: Partial<Record<Issuer, Ed25519Jwk>> = JSON.parse(readTextFile(file) ?? '{}');
  const all = Object.fromEntries(
    issuers.map((issuer) => [issuer, existing[issuer] ?? generateKey(issuer)]),
  ) as Record<Issuer, Ed25519Jwk>;
  if (issuers.some((issuer) => existing[issuer] === undefined)) {
    writePrivateFile(file, JSON.stringify(all, null, 2));
  }
  const publicKeys = Object.fromEntries(
    issuers.map((issuer) => [issuer, [toPublicJwk(all[issuer])]]),
  ) as Record<Issuer, Ed25519Jwk[]>;
  return { private: all, public: publicKeys };
}

/**
 * The key of one issuer in `dataDir`, which may contain no other. Errors: the folder does not
 * contain it.
 */
export function readCallerKey(dataDir: string, issuer: string): Ed25519Jwk {
  const file = join(dataDir, 'caller-keys.json');
  const keys: Record<string, Ed25519Jwk> = JSON.parse(readTextFile(file) ?? '{}');
  const key = keys[issuer];
  if (!key) throw new Error(`${file} does not contain the key of ${issuer}`);
  return key;
}

/** Generates a private key with a unique key id. */
export function generateKey(issuer: string): Ed25519Jwk {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const kid = `${issuer}-${randomBytes(6).toString('hex')}`;
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', kid, x: jwk.x ?? '', d: jwk.d ?? '' };
}

/** Removes the private part of a key. */
export function toPublicJwk({ d: _d, ...publicJwk }: Ed25519Jwk): Ed25519Jwk {
  return publicJwk;
}
