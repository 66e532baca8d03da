import type { Cell } from '@event-api/contracts/cells';
import {
  type CredentialKind,
  credentialPattern,
  credentialPrefixes,
} from '@event-api/contracts/operator/keys';
import { generateCredential, secretLength } from '@event-api/platform/core/credentials';

const displayedLength = 4;

/** Generates the secret of a credential of this kind. */
export const generateSecret = (kind: CredentialKind, cell: Cell): string =>
  generateCredential(credentialPrefixes[kind], cell);

/** Returns the cell that a credential names; undefined if the text is no credential. */
export function cellOf(text: string): Cell | undefined {
  const parts = credentialPattern.exec(text);
  return parts ? (parts[1] ?? null) : undefined;
}

/**
 * Returns the first characters of a secret, enough for a person to recognize the key: all that is
 * not random, and four random ones.
 */
export const displayPrefix = (secret: string): string =>
  secret.slice(0, displayedLength - secretLength);
