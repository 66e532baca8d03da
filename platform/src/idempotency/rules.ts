import type { KeyRow } from './queries.ts';

export type RepeatDecision =
  | { outcome: 'replay'; status: number; location: string | null; body: string }
  | { outcome: 'other_request' }
  | { outcome: 'running'; retryAfterSeconds: number };

/** What a request is told whose key somebody has used before. */
export function decideRepeat(row: KeyRow, hash: string): RepeatDecision {
  if (row.hash !== hash) return { outcome: 'other_request' };
  if (row.status === null) return { outcome: 'running', retryAfterSeconds: row.leaseSeconds };
  const { status, location, body } = row;
  return { outcome: 'replay', status, location, body: body ?? '' };
}

/**
 * What becomes of a key once its request is answered. An answer that a repeat cannot change is kept. What a 409 or a
 * 429 refuses has changed nothing, and its key is forgotten. Behind a 5xx there may be an effect, whose answer got
 * lost: the next run has to find it, so its ids stay, unless this run has made them useless.
 */
export function decideSettling(status: number, isSpent: boolean): 'keep' | 'release' | 'forget' {
  if (status === 409 || status === 429) return 'forget';
  if (status < 500) return 'keep';
  return isSpent ? 'forget' : 'release';
}
