import { hash, randomInt } from 'node:crypto';
import { type Cell, cellMark } from '@event-api/contracts/cells';
import {
  type CredentialKind,
  credentialPattern,
  credentialPrefixes,
} from '@event-api/contracts/operator/keys';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;
const displayedLength = 4;

/**
 * Generates the secret of a credential: the prefix of its kind, such as `sk_live_`, the name of its
 * cell, and 190 random bits.
 */
export const generateSecret = (kind: CredentialKind, cell: Cell): string =>
  `${credentialPrefixes[kind]}${cellMark(cell)}${Array.from({ length: secretLength }, () => base62[randomInt(base62.length)]).join('')}`;

/** Returns the cell that a credential names; undefined if the text is no credential. */
export function cellOf(text: string): Cell | undefined {
  const parts = credentialPattern.exec(text);
  return parts ? (parts[1] ?? null) : undefined;
}

/** Returns the stored hash of a secret. It needs no salt: 190 random bits are in no dictionary. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

/**
 * Returns the first characters of a secret, enough for a person to recognize the key: all that is
 * not random, and four random ones.
 */
export const displayPrefix = (secret: string): string =>
  secret.slice(0, displayedLength - secretLength);
