import { hash, randomInt } from 'node:crypto';
import { type Cell, cellMark } from '@event-api/contracts/cells';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The characters of a secret after its prefix and its cell. */
export const secretLength = 32;

/** Generates a credential: its prefix, such as `sk_live_`, the name of its cell, and 190 random bits. */
export const generateCredential = (prefix: string, cell: Cell): string =>
  `${prefix}${cellMark(cell)}${Array.from({ length: secretLength }, () => base62[randomInt(base62.length)]).join('')}`;

/** Returns the stored hash of a secret. It needs no salt: 190 random bits are in no dictionary. */
export const hashSecret = (secret: string): string => hash('sha256', secret);
