import { hash, randomInt } from 'node:crypto';
import type { Cell } from '@event-api/contracts/cells';
import {
  type ShortCode,
  shortCodeLength,
  shortCodeLetters,
} from '@event-api/contracts/http/devices';
import type { Clock } from '@event-api/platform/core/clock';
import type { Db } from '@event-api/platform/db/database';
import { networkOf } from '../rate-limit/address.ts';
import type { RateLimiter } from '../rate-limit/limit.ts';
import { findPairingByShortCode } from './api-keys.queries.ts';
import { type Authentication, decideKey } from './api-keys.rules.ts';

/** Tries of one address per window: a whole team at a venue has one address. */
const triesPerAddress = 30;
/**
 * Tries of all addresses per window. In the ten minutes of a code, a guess has a chance of one in
 * two hundred million.
 */
const triesInTotal = 300;

/** Generates a short pairing code: 39 random bits. */
export const generateShortCode = (): string =>
  Array.from(
    { length: shortCodeLength },
    () => shortCodeLetters[randomInt(shortCodeLetters.length)],
  ).join('');

/**
 * The stored hash of a short code. It protects a code for the ten minutes in which it is valid, and
 * not against a reader of the database with a fast machine, who could also pair devices otherwise.
 */
export const hashShortCode = (code: string): string => hash('sha256', `short-code:${code}`);

export interface ShortCodes {
  /**
   * Authenticates a short code. Each try counts, also a successful one, before the code is looked
   * up. Errors: those of the database.
   */
  authenticate(code: ShortCode, ip: string): Promise<Authentication>;
}

export function createShortCodes({
  db,
  limiter,
  clock,
  cell: ownCell,
}: {
  db: Db;
  cell: Cell;
  limiter: RateLimiter;
  clock: Clock;
}): ShortCodes {
  return {
    async authenticate({ cell, code }, ip) {
      if (cell !== ownCell) return { outcome: 'other_cell', cell };
      const ofAddress = await limiter.consume(`short-code:${networkOf(ip)}`, triesPerAddress);
      if (!ofAddress.allowed) return { outcome: 'throttled', resetSeconds: ofAddress.resetSeconds };
      const all = await limiter.consume('short-code', triesInTotal);
      if (!all.allowed) return { outcome: 'throttled', resetSeconds: all.resetSeconds };
      const key = await findPairingByShortCode(db, hashShortCode(code));
      return decideKey(key, clock.now());
    },
  };
}
