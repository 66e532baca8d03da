import type { ScanIssue, ScanResult } from '@event-api/contracts/http/checkin-batch';
import type { z } from 'zod';
import { platformTime } from '../api/clock.ts';
import { observable } from '../api/observable.ts';
import type { UnsentScan } from './database.ts';
import { forget, readStored, store } from './own-names.ts';

/** A person whom this device has let in without the platform being able to record it. */
export interface Unrecorded {
  scanId: string;
  /** The code of the badge, or the id of the registration that was found by name. */
  shown: string;
  /** By the clock of the platform; null if it was not known. */
  at: string | null;
  reason: ScanIssue;
}

/** The people among these scans whom the device has let in, and whose scan is invalid. */
export function unrecordedOf(
  scans: readonly UnsentScan[],
  results: readonly z.output<typeof ScanResult>[],
): Unrecorded[] {
  const reasons = new Map(
    results.flatMap((each) => (each.result === 'invalid' ? [[each.scanId, each.reason]] : [])),
  );
  return scans.flatMap(({ scanId, shown, decision, moment }) => {
    const reason = reasons.get(scanId);
    if (reason === undefined || decision !== 'admitted') return [];
    const label = 'checkinCode' in shown ? shown.checkinCode : shown.registrationId;
    return [{ scanId, shown: label, at: platformTime(moment), reason }];
  });
}

const key = 'unrecorded';

/** Those that nobody has noted yet. They survive a page that is closed. */
export const unrecorded = observable<readonly Unrecorded[]>([]);

/** Reads those of a former page. */
export function readUnrecorded(): void {
  const stored = readStored(key);
  unrecorded.set(stored === null ? [] : (JSON.parse(stored) as Unrecorded[]));
}

/** Keeps these until somebody has noted them. A scan that is reported twice is one of them. */
export function storeUnrecorded(people: readonly Unrecorded[]): void {
  if (people.length === 0) return;
  readUnrecorded();
  const known = new Set(unrecorded.get().map(({ scanId }) => scanId));
  const all = [...unrecorded.get(), ...people.filter(({ scanId }) => !known.has(scanId))];
  store(key, JSON.stringify(all));
  unrecorded.set(all);
}

/** Forgets those that somebody has noted. */
export function forgetUnrecorded(): void {
  forget(key);
  unrecorded.set([]);
}
