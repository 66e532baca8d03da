import type { DoorCount } from '../../api/records.ts';

/** The check-ins per door at an instant in milliseconds. */
export interface Sample {
  at: number;
  counts: Readonly<Record<string, number>>;
}

/** Samples are at least this far apart, so a busy door does not add one with each check-in. */
const sampleMs = 10_000;
const minuteMs = 60_000;
/** How far back the line of a door goes. */
export const shownMinutes = 30;

/** Adds the present counts. Within ten seconds they replace those of the last sample, except of the first one. */
export function addSample(
  samples: readonly Sample[],
  doors: readonly Pick<DoorCount, 'subjectId' | 'checkedIn'>[],
  at: number,
): Sample[] {
  const counts = Object.fromEntries(doors.map((door) => [door.subjectId, door.checkedIn]));
  const kept = samples.filter((sample) => at - sample.at <= (shownMinutes + 1) * minuteMs);
  const [last, before] = [kept.at(-1), kept.at(-2)];
  if (last && before && at - before.at < sampleMs) kept.pop();
  return [...kept, { at, counts }];
}

/** The check-ins of a door in each full minute before `now` that was seen, the oldest first. An undo is no check-in. */
export function perMinute(samples: readonly Sample[], subjectId: string, now: number): number[] {
  const [first] = samples;
  if (!first) return [];
  const seen = Math.min(shownMinutes, Math.floor((now - first.at) / minuteMs));
  const countAt = (at: number): number =>
    samples.findLast((sample) => sample.at <= at)?.counts[subjectId] ?? 0;
  return Array.from({ length: seen }, (_, index) => {
    const end = now - (seen - 1 - index) * minuteMs;
    return Math.max(0, countAt(end) - countAt(end - minuteMs));
  });
}
