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

/** What a later repeat may still change is not kept: who was told to try again is to be judged anew. */
export const isKept = (status: number): boolean => status < 500 && status !== 409 && status !== 429;
