const locale = 'en-GB';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, options]);
  const cached = formats.get(key);
  if (cached) return cached;
  const created = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
  formats.set(key, created);
  return created;
}

const time = { hour: '2-digit', minute: '2-digit' } as const;
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** "10 May 2027, 09:00 CEST" */
export const formatInstant = (instant: string, zone: string): string =>
  formatOf(zone, { ...day, ...time, timeZoneName: 'short' }).format(new Date(instant));

/** "10 May 2027, 09:00:05 CEST" */
export const formatSecond = (instant: string, zone: string): string =>
  formatOf(zone, { ...day, ...time, second: '2-digit', timeZoneName: 'short' }).format(
    new Date(instant),
  );

/** "10 May 2027" */
export const formatDay = (instant: string, zone: string): string =>
  formatOf(zone, day).format(new Date(instant));

/** "09:00" */
export const formatTime = (instant: string, zone: string): string =>
  formatOf(zone, time).format(new Date(instant));

/** "Mon 10 May" */
export const formatWeekday = (instant: string, zone: string): string =>
  formatOf(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(new Date(instant));

/** "10 – 12 May 2027"; one day if both are the same day. */
export const formatDays = (from: string, to: string | null, zone: string): string =>
  to === null
    ? formatDay(from, zone)
    : formatOf(zone, day).formatRange(new Date(from), new Date(to));

/** "5 minutes ago", "in 3 days". */
export function formatRelative(instant: string, now: Date): string {
  const seconds = (Date.parse(instant) - now.getTime()) / 1000;
  const steps = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return format.format(Math.round(seconds / size), unit);
}

/** The zone of the person who looks at the page. */
export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The years of a date that a person may enter. Other years are those of a date that is still typed,
 * such as 0002.
 */
const firstYear = 1970;
const lastYear = 2999;

/** Whether text is a date of a usable year: `2027-05-10`, with or without a time. */
export function isUsableDate(text: string): boolean {
  const year = Number(/^(\d{4})-/.exec(text)?.[1]);
  return year >= firstYear && year <= lastYear && !Number.isNaN(Date.parse(text));
}

/** Whether text is an instant, which names its zone. A wall clock does not. */
export const isInstant = (text: string): boolean =>
  /T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));

/** The parts of an instant in a zone, as a machine reads them: `2027-05-10` and `09:00`. */
function partsOf(instant: Date, zone: string): { date: string; time: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...time,
  });
  const part = Object.fromEntries(format.formatToParts(instant).map((p) => [p.type, p.value]));
  return {
    date: `${part.year?.padStart(4, '0')}-${part.month}-${part.day}`,
    time: `${part.hour}:${part.minute}`,
  };
}

/** The calendar day of an instant in a zone: `2027-05-10`. */
export const dayOf = (instant: string | Date, zone: string): string =>
  partsOf(new Date(instant), zone).date;

/** The minutes since midnight of an instant in a zone, as the clock shows them. */
export function minuteOfDay(instant: string, zone: string): number {
  const [hours = 0, minutes = 0] = partsOf(new Date(instant), zone).time.split(':').map(Number);
  return 60 * hours + minutes;
}

/**
 * The value of an input of type `datetime-local`: the wall clock in the zone. Text that is no
 * instant stays as it is, because a person is typing it.
 */
export function toWallClock(instant: string | null, zone: string): string {
  if (instant === null) return '';
  if (!isInstant(instant)) return instant;
  const { date, time } = partsOf(new Date(instant), zone);
  return `${date}T${time}`;
}

/**
 * The instant of a wall clock in a zone, in UTC. A time that a change of the clocks skips becomes
 * the time after it; of a time that occurs twice, the first one is meant. Returns null for text
 * that is no time of a usable year.
 */
export function fromWallClock(wallClock: string, zone: string): string | null {
  const asUtc = Date.parse(`${wallClock}Z`);
  if (!/T\d{2}:\d{2}/.test(wallClock) || !isUsableDate(`${wallClock}Z`)) return null;
  const offsetAt = (instant: number) =>
    Date.parse(`${toWallClock(new Date(instant).toISOString(), zone)}Z`) -
    Math.floor(instant / 60_000) * 60_000;
  // The offsets a day before and after are those on both sides of a change of the clocks.
  const dayMs = 86_400_000;
  const before = asUtc - offsetAt(asUtc - dayMs);
  const after = asUtc - offsetAt(asUtc + dayMs);
  const fits = [before, after].find(
    (instant) => toWallClock(new Date(instant).toISOString(), zone) === wallClock.slice(0, 16),
  );
  return new Date(fits ?? before).toISOString();
}

/**
 * The value of a field for the wall clock in its input: an instant, null without a wall clock, or
 * the text itself, which the rules of the field reject. The text keeps what is shown in the input.
 */
export const typedInstant = (wallClock: string, zone: string): string | null =>
  wallClock === '' ? null : (fromWallClock(wallClock, zone) ?? wallClock);

/**
 * The value of a field of a date after its zone has changed: its wall clock stays, so the instant
 * moves. A time that the new zone skips becomes the time after it. Text that is no instant stays as
 * it is.
 */
export const inOtherZone = (value: string | null, from: string, to: string): string | null =>
  value === null ? null : typedInstant(toWallClock(value, from), to);

/**
 * The day after or before a day such as `2027-05-10`, by a number of days. Text that is no day
 * stays as it is.
 */
export function addDays(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(instant.getTime())) return date;
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

/** Whether text is a day of a usable year: `2027-05-10`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && isUsableDate(text) && addDays(text, 0) === text;

/** Whether a period ends before it begins, so that no day is in it. */
export const isReversed = (first: string | undefined, last: string | undefined): boolean =>
  first !== undefined && last !== undefined && isDay(first) && isDay(last) && first > last;

/**
 * The instants of whole days in a zone: from the start of the first day to the end of the last one,
 * which is included.
 */
export const periodOf = (
  first: string | undefined,
  last: string | undefined,
  zone: string,
): { from: string | undefined; before: string | undefined } => ({
  from: (first && fromWallClock(`${first}T00:00`, zone)) || undefined,
  before: (last && fromWallClock(`${addDays(last, 1)}T00:00`, zone)) || undefined,
});
