import { hash, randomInt } from 'node:crypto';
import { type CredentialKind, credentialPrefixes } from '@event-api/contracts/operator/keys';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const displayLength = 'sk_live_'.length + 4;

/** Generates a secret: the prefix of its kind, such as `sk_live_`, and 190 random bits. */
export const generateSecret = (kind: CredentialKind = 'key'): string =>
  `${credentialPrefixes[kind]}${Array.from({ length: 32 }, () => base62[randomInt(base62.length)]).join('')}`;

/** Returns the stored hash of a secret. It needs no salt: 190 random bits are in no dictionary. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

/** Returns the first characters of a secret, enough for a person to recognize the key. */
export const displayPrefix = (secret: string): string => secret.slice(0, displayLength);
