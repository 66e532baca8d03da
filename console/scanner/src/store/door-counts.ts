/** Check-ins by the key of their door. */
export type DoorCounts = ReadonlyMap<string, number>;

export const noCounts: DoorCounts = new Map();

const combine = (
  one: DoorCounts,
  other: DoorCounts,
  change: (count: number, by: number) => number,
): DoorCounts => {
  const combined = new Map(one);
  for (const [key, count] of other) combined.set(key, change(combined.get(key) ?? 0, count));
  return combined;
};

/** The counts of both. */
export const plus = (one: DoorCounts, other: DoorCounts): DoorCounts =>
  combine(one, other, (count, by) => count + by);

/** What has been added since the earlier counts. */
export const since = (now: DoorCounts, earlier: DoorCounts): DoorCounts =>
  combine(now, earlier, (count, by) => count - by);

/** How often each door is among these. */
export const countDoors = (keys: readonly string[]): DoorCounts =>
  keys.reduce((counts, key) => plus(counts, new Map([[key, 1]])), noCounts);

/** The check-ins at one door, and at all. */
export const countsAt = (counts: DoorCounts, key: string): { door: number; all: number } => ({
  door: counts.get(key) ?? 0,
  all: [...counts.values()].reduce((sum, count) => sum + count, 0),
});
