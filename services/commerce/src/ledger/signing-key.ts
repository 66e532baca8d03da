import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** Signs the digests of the journal. */
export interface LedgerSigner {
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** An Ed25519 signature in base64. */
  sign(text: string): string;
}

// PKCS #8 around the 32 bytes of an Ed25519 key (RFC 8410).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Reads `LEDGER_SIGNING_KEY`: 32 random bytes in base64url. Errors: another length. */
export function readLedgerSigner(seed: string): LedgerSigner {
  const bytes = Buffer.from(seed, 'base64url');
  if (bytes.length !== 32) throw new Error('a signing key must be 32 bytes in base64url');
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, bytes]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    publicKey: publicKey.toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}
