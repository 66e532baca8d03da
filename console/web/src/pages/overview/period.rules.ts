import { addDays } from '../../format/time.ts';

/** The periods of the overview. `all` begins with the first registration or sale. */
export const periods = ['7', '30', 'all'] as const;
export type PeriodName = (typeof periods)[number];

/** The most days that a service sums. */
const maxDays = 400;

/** The days of a period, today included, and how many days before them are compared. */
export interface Period {
  name: PeriodName;
  days: string[];
  /** The first day to read: that of the period before. */
  readFrom: string;
  /** The day after the last one. */
  to: string;
  /** Null for the whole sale, before which there is nothing. */
  daysBefore: number | null;
}

/** The period that ends today. `began` is the first day of the sale, as far as it is known. */
export function periodUntil(today: string, name: PeriodName, began: string | null): Period {
  const to = addDays(today, 1);
  if (name === 'all') {
    const readFrom = addDays(today, 1 - maxDays);
    const days = [];
    for (let day = began ?? today; day <= today && days.length < maxDays; day = addDays(day, 1)) {
      days.push(day);
    }
    return { name, days, readFrom, to, daysBefore: null };
  }
  const count = Number(name);
  const days = Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count));
  return { name, days, readFrom: addDays(today, 1 - 2 * count), to, daysBefore: count };
}

/** The sum of the days of a period, and of those before; null without a period before. */
export function compare(
  { days, daysBefore }: Pick<Period, 'days' | 'daysBefore'>,
  valueOn: (day: string) => number,
): { sum: number; before: number | null } {
  const sumOf = (of: readonly string[]) => of.reduce((sum, day) => sum + valueOn(day), 0);
  const before = daysBefore === null ? null : sumOf(days.map((day) => addDays(day, -daysBefore)));
  return { sum: sumOf(days), before };
}

/** The change in percent, null if there is nothing to compare with. */
export const percentOf = (sum: number, before: number | null): number | null =>
  before === null || before <= 0 ? null : Math.round((100 * (sum - before)) / before);

export type Forecast =
  /** All seats are gone on this day. */
  | { outcome: 'sold_out'; on: string }
  /** When the event begins, so many seats are taken. */
  | { outcome: 'by_start'; seats: number }
  | { outcome: 'unknown' };

/**
 * What comes of the sale if it goes on as in the period: the day on which the goal is reached, or
 * what is sold when the event begins. Unknown without a sale in the period, and without a goal and a
 * start.
 */
export function forecast({
  taken,
  goal,
  sold,
  days,
  today,
  startsOn,
}: {
  taken: number;
  /** The seats of all ticket types, null if one of them is unlimited. */
  goal: number | null;
  /** Sold in the period. */
  sold: number;
  days: number;
  today: string;
  startsOn: string | null;
}): Forecast {
  const perDay = sold / days;
  if (!(perDay > 0)) return { outcome: 'unknown' };
  if (goal !== null) {
    const on = addDays(today, Math.min(Math.ceil((goal - taken) / perDay), 10 * maxDays));
    if (taken < goal && (startsOn === null || on <= startsOn)) return { outcome: 'sold_out', on };
  }
  if (startsOn === null || startsOn <= today || (goal !== null && taken >= goal)) {
    return { outcome: 'unknown' };
  }
  const left = (Date.parse(startsOn) - Date.parse(today)) / 86_400_000;
  return { outcome: 'by_start', seats: taken + Math.floor(perDay * left) };
}
