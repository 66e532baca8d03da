/** When an event begins. */
export interface EventStart {
  /** Null while it is not known. */
  startsAt: Date | null;
  timezone: string;
}

const dayMs = 86_400_000;

/**
 * The instant so many calendar days before the start of an event, at the time of day of the start in
 * the time zone of the event. A day is a day of the calendar: across a change of the clocks it has
 * 23 or 25 hours. A time that the clocks skip becomes the time after it; of a time that occurs
 * twice, the first one is meant. Null while the start is not known.
 */
export const daysBefore = (event: EventStart, days: number): Date | null => calendarOf(event)(days);

/** `daysBefore` for many numbers of days. */
export function calendarOf({ startsAt, timezone }: EventStart): (days: number) => Date | null {
  if (startsAt === null) return () => null;
  let wallClockOf: ReturnType<typeof clockIn> | null = null;
  return (days) => {
    if (days === 0) return startsAt;
    wallClockOf ??= clockIn(timezone);
    return before(startsAt, days, wallClockOf);
  };
}

function before(startsAt: Date, days: number, wallClockOf: (instant: number) => number): Date {
  const start = startsAt.getTime();
  const wallClock = wallClockOf(start) - days * dayMs;
  const offsetAt = (instant: number) => wallClockOf(instant) - instant;
  // The offsets a day before and after are those on both sides of a change of the clocks.
  const first = wallClock - offsetAt(wallClock - dayMs);
  const second = wallClock - offsetAt(wallClock + dayMs);
  if (first === second) return new Date(first);
  const fits = [first, second].find((instant) => wallClockOf(instant) === wallClock);
  return new Date(fits ?? first);
}

/** The clock on a wall in a time zone: its reading at an instant, in milliseconds as if it were UTC. */
function clockIn(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = format.formatToParts(instant);
    const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = parts
      .filter(({ type }) => type !== 'literal')
      .map(({ value }) => Number(value));
    const milliseconds = ((instant % 1000) + 1000) % 1000;
    return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  };
}
