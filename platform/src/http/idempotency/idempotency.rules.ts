import type { KeyRow } from './idempotency.queries.ts';

export type ReplayDecision =
  | { outcome: 'replay'; status: number; location: string | null; body: string }
  | { outcome: 'key_reused' }
  | { outcome: 'running' };

/** How to respond to a request whose key exists. */
export function decideReplay(row: KeyRow, requestHash: string): ReplayDecision {
  if (row.requestHash !== requestHash) return { outcome: 'key_reused' };
  if (row.status === null) return { outcome: 'running' };
  const { status, location, body } = row;
  return { outcome: 'replay', status, location, body: body ?? '' };
}

/** A run of a request with a key, at the time of its response. */
export interface CompletedRun {
  status: number;
  /** An earlier run exists that may have had, or may still have, an effect. */
  isRetry: boolean;
  /**
   * The ids derived from the key belong to something that is closed for good. A retry needs new
   * ids.
   */
  idsDiscarded: boolean;
  /** The response may be stored. */
  isStorable: boolean;
}

/**
 * Decides what happens to a key after the response to its request.
 *
 * `store`: a success is stored, and a retry gets it again. `delete`: a rejected first run changed
 * nothing, so the next run starts from the beginning. `release`: the row stays for the next run,
 * which gets the same ids. This is the case when an effect may exist that this run did not report:
 * after a 5xx, and when a retry is rejected, because the earlier run may have had, or may still
 * have, its effect.
 */
export function decideCompletion(run: CompletedRun): 'store' | 'release' | 'delete' {
  if (run.status < 400) return run.isStorable ? 'store' : 'release';
  if (run.idsDiscarded) return 'delete';
  return run.status >= 500 || run.isRetry ? 'release' : 'delete';
}
