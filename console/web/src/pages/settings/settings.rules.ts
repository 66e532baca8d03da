import type { Event } from '../../api/records.ts';
import { dayOf } from '../../format/time.ts';

type Start = Pick<Event, 'startsAt' | 'timezone'>;

/**
 * Whether a change of the settings moves the start to another day, or removes it: the server then
 * clears the agenda. Each day is that of its own time zone. A first start is no move.
 */
export function movesStartDay(before: Start, after: Start): boolean {
  if (before.startsAt === null) return false;
  if (after.startsAt === null) return true;
  return dayOf(before.startsAt, before.timezone) !== dayOf(after.startsAt, after.timezone);
}
