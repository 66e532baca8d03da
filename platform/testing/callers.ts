import { exportJWK, generateKeyPair, type JWK } from 'jose';
import {
  type CallerSigner,
  type CallerVerifier,
  createCallerSigner,
  createCallerVerifier,
} from '../src/http/caller-tokens.ts';

/** Issuers with their own keys, and a verifier that accepts all of them. */
export interface TestCallers {
  verifier: CallerVerifier;
  publicJwks: Record<string, JWK[]>;
  privateJwks: Record<string, JWK>;
  signer(issuer: string): Promise<CallerSigner>;
}

export async function createTestCallers(
  issuers: readonly string[] = ['gateway', 'admin', 'console', 'catalog'],
): Promise<TestCallers> {
  const publicJwks: Record<string, JWK[]> = {};
  const privateJwks: Record<string, JWK> = {};
  for (const issuer of issuers) {
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    publicJwks[issuer] = [await exportJWK(pair.publicKey)];
    privateJwks[issuer] = await exportJWK(pair.privateKey);
  }
  return {
    publicJwks,
    privateJwks,
    verifier: await createCallerVerifier({ publicJwks }),
    signer: (issuer) => createCallerSigner({ issuer, privateJwk: privateJwks[issuer] ?? {} }),
  };
}
