/** The day of an instant in UTC, such as `2026-11-28`. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The first instant of a day, and the first one after it. */
export function boundsOf(day: string): { from: Date; before: Date } {
  const from = new Date(day);
  const before = new Date(day);
  before.setUTCDate(before.getUTCDate() + 1);
  return { from, before };
}
