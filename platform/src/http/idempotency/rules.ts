import type { KeyRow } from './queries.ts';

export type ReplayDecision =
  | { outcome: 'replay'; status: number; location: string | null; body: string }
  | { outcome: 'other_request' }
  | { outcome: 'running' };

/** How to respond to a request whose key exists. */
export function decideReplay(row: KeyRow, hash: string): ReplayDecision {
  if (row.hash !== hash) return { outcome: 'other_request' };
  if (row.status === null) return { outcome: 'running' };
  const { status, location, body } = row;
  return { outcome: 'replay', status, location, body: body ?? '' };
}

/** A run of a request with a key, at the time of its response. */
export interface CompletedRun {
  status: number;
  /** An earlier run exists, and may have had an effect, or may still have one. */
  isRetry: boolean;
  /** Its ids can serve no other run. */
  idsDiscarded: boolean;
  /** The response may be stored. */
  isStorable: boolean;
}

/**
 * What becomes of a key when its request gets a response.
 *
 * `keep`: a success is stored, and a retry gets it again. `forget`: a first run that was refused changed nothing, so the
 * next one starts afresh. `release`: the row stays, free for the next run, which gets the same ids. That is the case
 * where an effect may exist that this run did not report: after a 5xx, and when a rerun is refused, because the run before
 * it may have had its effect, or may have it yet.
 */
export function decideCompletion(run: CompletedRun): 'keep' | 'release' | 'forget' {
  if (run.status < 400) return run.isStorable ? 'keep' : 'release';
  if (run.idsDiscarded) return 'forget';
  return run.status >= 500 || run.isRetry ? 'release' : 'forget';
}
