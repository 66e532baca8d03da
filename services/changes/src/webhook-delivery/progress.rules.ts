/** A change of the feed, as an endpoint receives it. */
export interface FeedEntry {
  id: string;
  sequence: number;
  type: string;
  objectId: string;
  /** The body of its deliveries, as JSON text. */
  entry: string;
}

/** An object whose delivery has failed. All its changes from `sequence` on are undelivered. */
export interface Lane {
  objectId: string;
  sequence: number;
  /** Failed attempts of its first undelivered change. */
  attempts: number;
  nextAt: Date;
}

/**
 * How far the deliveries of an endpoint are. Every change of its types up to `readTo` is
 * acknowledged or given up, or waits in `window`, or belongs to a lane.
 */
export interface Progress {
  readTo: number;
  /** Changes of objects without a lane, in order. */
  window: readonly FeedEntry[];
  lanes: ReadonlyMap<string, Lane>;
}

/** The progress that is stored: the changes from `next` on are read again. */
export const restoredProgress = (next: number, lanes: readonly Lane[]): Progress => ({
  readTo: next - 1,
  window: [],
  lanes: new Map(lanes.map((lane) => [lane.objectId, lane])),
});

/** Every change below it is acknowledged, given up or in a lane. */
export const nextOf = ({ window, readTo }: Progress): number => window[0]?.sequence ?? readTo + 1;

/** Every change up to it is acknowledged or given up. It never decreases. */
export function watermarkOf(progress: Progress): number {
  let first = nextOf(progress);
  for (const { sequence } of progress.lanes.values()) first = Math.min(first, sequence);
  return first - 1;
}

/** Adds the changes that follow `readTo`. Those of objects with a lane wait there. */
export const addRead = (
  { window, lanes }: Progress,
  read: { readTo: number; entries: readonly FeedEntry[] },
): Progress => ({
  readTo: read.readTo,
  window: [...window, ...read.entries.filter(({ objectId }) => !lanes.has(objectId))],
  lanes,
});

/** Removes the changes that the endpoint does not receive any more. */
export function keepTypes(progress: Progress, types: readonly string[] | null): Progress {
  if (!types || progress.window.every(({ type }) => types.includes(type))) return progress;
  return { ...progress, window: progress.window.filter(({ type }) => types.includes(type)) };
}

/** A change is acknowledged or given up. The next change of its object can be sent now. */
export function settle(progress: Progress, change: FeedEntry, now: Date): Progress {
  const { objectId, sequence } = change;
  if (!progress.lanes.has(objectId)) {
    return { ...progress, window: progress.window.filter((each) => each.sequence !== sequence) };
  }
  return withLane(progress, { objectId, sequence: sequence + 1, attempts: 0, nextAt: now });
}

/** A change has failed. Later changes of its object wait behind it. */
export function park(
  progress: Progress,
  { objectId, sequence }: FeedEntry,
  retry: { attempts: number; nextAt: Date },
): Progress {
  const window = progress.window.filter((each) => each.objectId !== objectId);
  return withLane({ ...progress, window }, { objectId, sequence, ...retry });
}

/**
 * Moves a lane to its first undelivered change up to `readTo`, or ends it without one. The change
 * can be a later one than before: others were delivered, or are not kept, or no longer have a type
 * of the endpoint.
 */
export function resolveLane(
  progress: Progress,
  lane: Lane,
  found: FeedEntry | undefined,
): Progress {
  if (found?.sequence === lane.sequence) return progress;
  if (found) return withLane(progress, { ...lane, sequence: found.sequence, attempts: 0 });
  const lanes = new Map(progress.lanes);
  lanes.delete(lane.objectId);
  return { ...progress, lanes };
}

const withLane = (progress: Progress, lane: Lane): Progress => ({
  ...progress,
  lanes: new Map(progress.lanes).set(lane.objectId, lane),
});
