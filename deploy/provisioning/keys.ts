import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readTextFile, writePrivateFile } from './secret-files.ts';

/** Who signs calls between processes: the gateway for integrators, admin for operators, each service for itself. */
export const issuers = [
  'gateway',
  'admin',
  'catalog',
  'registration',
  'commerce',
  'onsite',
] as const;
export type Issuer = (typeof issuers)[number];

/** An Ed25519 key as a JSON Web Key; `d` is there in a private one only. */
export interface Ed25519Jwk {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  kid: string;
  x: string;
  d?: string;
}

export interface CallerKeys {
  /** What each process signs with. */
  private: Record<Issuer, Ed25519Jwk>;
  /** What everybody else verifies with; several per issuer while one is being replaced. */
  public: Record<Issuer, Ed25519Jwk[]>;
}

/** The keys with which the processes of this `dataDir` prove who calls: made once, kept there for their owner's eyes only.
 *  An issuer that is new since they were made gets its key now. */
export function callerKeys(dataDir: string): CallerKeys {
  const file = join(dataDir, 'caller-keys.json');
  const existing: Partial<Record<Issuer, Ed25519Jwk>> = JSON.parse(readTextFile(file) ?? '{}');
  const all = Object.fromEntries(
    issuers.map((issuer) => [issuer, existing[issuer] ?? generateKey(issuer)]),
  ) as Record<Issuer, Ed25519Jwk>;
  if (issuers.some((issuer) => existing[issuer] === undefined)) {
    writePrivateFile(file, JSON.stringify(all, null, 2));
  }
  const publicKeys = issuers.map((issuer) => [issuer, [toPublicJwk(all[issuer])]]);
  return { private: all, public: Object.fromEntries(publicKeys) };
}

/** A new private key for a process, under a key id of its own. */
export function generateKey(issuer: Issuer): Ed25519Jwk {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const kid = `${issuer}-${randomBytes(6).toString('hex')}`;
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', kid, x: jwk.x ?? '', d: jwk.d ?? '' };
}

/** What others may see of a key. */
export function toPublicJwk({ d: _d, ...publicJwk }: Ed25519Jwk): Ed25519Jwk {
  return publicJwk;
}
