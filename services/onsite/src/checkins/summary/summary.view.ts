import type { CheckinSummary } from '@event-api/contracts/http/checkins';
import type { z } from 'zod';
import type { DoorCount } from './summary.queries.ts';

/** The summary of an event as the API returns it. */
export function summaryView(doors: readonly DoorCount[]): z.input<typeof CheckinSummary> {
  const times = doors.flatMap(({ lastCheckinAt }) => lastCheckinAt?.toISOString() ?? []);
  const sum = (
    count: Exclude<keyof DoorCount, 'subjectType' | 'subjectId' | 'name' | 'lastCheckinAt'>,
  ) => doors.reduce((total, door) => total + door[count], 0);
  return {
    checkedIn: sum('checkedIn'),
    overruled: sum('overruled'),
    contested: sum('contested'),
    refused: sum('refused'),
    admitted: sum('checkedIn') + sum('contested'),
    lastCheckinAt: times.toSorted().at(-1) ?? null,
    doors: doors.map((door) => ({
      ...door,
      admitted: door.checkedIn + door.contested,
      lastCheckinAt: door.lastCheckinAt?.toISOString() ?? null,
    })),
  };
}
