import type { CheckinSummary } from '@event-api/contracts/http/checkins';
import type { z } from 'zod';
import type { DoorCount } from './queries.ts';

/** The summary of an event as the API returns it. */
export function summaryView(doors: readonly DoorCount[]): z.input<typeof CheckinSummary> {
  const times = doors.flatMap(({ lastCheckinAt }) => lastCheckinAt?.toISOString() ?? []);
  return {
    checkedIn: doors.reduce((sum, { checkedIn }) => sum + checkedIn, 0),
    lastCheckinAt: times.toSorted().at(-1) ?? null,
    doors: doors.map((door) => ({
      ...door,
      lastCheckinAt: door.lastCheckinAt?.toISOString() ?? null,
    })),
  };
}
