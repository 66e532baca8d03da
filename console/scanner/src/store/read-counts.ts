import type { DoorCounts } from './door-counts.ts';
import { readStored, store } from './own-names.ts';

const key = 'counts';

/** Keeps the last counts of the platform for a page that opens without a network. */
export const storeCounts = (eventId: string, counts: DoorCounts): void =>
  store(key, JSON.stringify({ eventId, counts: [...counts] }));

/** The last counts of the doors of an event; null without any. */
export function readCounts(eventId: string): DoorCounts | null {
  const stored = readStored(key);
  if (stored === null) return null;
  const read = JSON.parse(stored) as { eventId: string; counts: [string, number][] };
  return read.eventId === eventId ? new Map(read.counts) : null;
}
