/**
 * A segment of PostgreSQL's log. Numbers grow by one; after a restore they continue on a new
 * timeline.
 */
export interface Segment {
  timeline: number;
  number: number;
}

/** From segment `first` on, the log continues on `timeline`. */
export interface TimelineStart {
  timeline: number;
  first: number;
}

const BYTES_PER_LOG = 2 ** 32;

/** The segment with this file name; undefined for other files of the archive. */
export function parseSegment(name: string, segmentBytes: number): Segment | undefined {
  if (!/^[0-9A-F]{24}$/.test(name)) return undefined;
  const [timeline = 0, log = 0, part = 0] = [0, 8, 16].map((from) =>
    Number.parseInt(name.slice(from, from + 8), 16),
  );
  return { timeline, number: log * (BYTES_PER_LOG / segmentBytes) + part };
}

/** The file name of a segment. */
export function segmentName({ timeline, number }: Segment, segmentBytes: number): string {
  const perLog = BYTES_PER_LOG / segmentBytes;
  return [timeline, Math.floor(number / perLog), number % perLog]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

/** The name of the history file of a timeline. */
export const historyName = (timeline: number): string =>
  `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`;

/**
 * Where each timeline begins on the way to `timeline`, from its history file. Each line names an
 * earlier timeline and the position in the log at which it ends. The segment with that position
 * also exists on the next timeline.
 */
export function parseHistory(
  timeline: number,
  history: string,
  segmentBytes: number,
): TimelineStart[] {
  const ends = [...history.matchAll(/^(\d+)\s+([0-9A-F]+)\/([0-9A-F]+)/gim)].map(
    ([, parent, log = '', offset = '']) => ({
      timeline: Number(parent),
      last:
        Number.parseInt(log, 16) * (BYTES_PER_LOG / segmentBytes) +
        Math.floor(Number.parseInt(offset, 16) / segmentBytes),
    }),
  );
  return [...ends.map((end) => end.timeline), timeline].map((each, index) => ({
    timeline: each,
    first: ends[index - 1]?.last ?? 0,
  }));
}

/**
 * The segments that a restore needs and the archive lacks: all from `start` to `stop`, without
 * which the backup is inconsistent, and all up to the newest one in the archive, without which a
 * restore ends at the gap.
 */
export function missingSegments(input: {
  start: Segment;
  stop: Segment;
  archived: readonly string[];
  timelines: readonly TimelineStart[];
  segmentBytes: number;
}): string[] {
  const { start, stop, timelines, segmentBytes } = input;
  const timelineOf = (number: number) =>
    timelines.findLast(({ first }) => first <= number)?.timeline ?? start.timeline;
  const archived = new Set(input.archived);
  const numbers = input.archived.flatMap((name) => {
    const segment = parseSegment(name, segmentBytes);
    return segment && segment.timeline === timelineOf(segment.number) ? segment.number : [];
  });
  const last = Math.max(stop.number, ...numbers);
  const missing: string[] = [];
  for (let number = start.number; number <= last; number++) {
    const name = segmentName({ timeline: timelineOf(number), number }, segmentBytes);
    if (!archived.has(name)) missing.push(name);
  }
  return missing;
}

/**
 * The segments before `oldest`, the first one that the oldest remaining backup needs, on every
 * timeline.
 */
export function obsoleteSegments(
  archived: readonly string[],
  oldest: Segment,
  segmentBytes: number,
): string[] {
  return archived.filter((name) => {
    const segment = parseSegment(name, segmentBytes);
    return segment !== undefined && segment.number < oldest.number;
  });
}
