import { type CheckinRates, ratedMinutes } from '@event-api/contracts/operator/checkin-rates';
import type { z } from 'zod';
import type { MinuteCount } from './rates.queries.ts';

/**
 * The rates of an event as operators read them: a number for each minute, also for those without
 * check-ins.
 */
export function ratesView(
  counts: readonly MinuteCount[],
  until: Date,
): z.input<typeof CheckinRates> {
  const doors = new Map<string, z.input<typeof CheckinRates>['doors'][number]>();
  for (const { subjectType, subjectId, minutesAgo, checkedIn } of counts) {
    const key = `${subjectType} ${subjectId}`;
    const perMinute = doors.get(key)?.perMinute ?? Array<number>(ratedMinutes).fill(0);
    perMinute[ratedMinutes - 1 - minutesAgo] = checkedIn;
    doors.set(key, { subjectType, subjectId, perMinute });
  }
  return { until: until.toISOString(), doors: [...doors.values()] };
}
