import { hash, randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const displayLength = 'sk_live_'.length + 4;

/** 190 random bits behind `sk_live_`. */
export const generateSecret = (): string =>
  `sk_live_${Array.from({ length: 32 }, () => base62[randomInt(base62.length)]).join('')}`;

/** What is stored of a secret. No salt: 190 random bits are in no dictionary. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

/** Enough of a secret to tell one key from another by eye. */
export const displayPrefix = (secret: string): string => secret.slice(0, displayLength);
