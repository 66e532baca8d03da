import { type RecordList, useList } from './api.queries.ts';
import type { Event } from './records.ts';

/** More than most units have. */
const pageSize = 200;

/** The events of the unit by status, with the newest ones on the first page. */
export const useUnitEvents = (status?: string, limit = pageSize): RecordList<Event> =>
  useList<Event>('events', 'v1/events', { status, limit });

/** The zone of all events that are not archived; null if they have several, or there are none. */
export function sharedZone(events: readonly Pick<Event, 'status' | 'timezone'>[]): string | null {
  const zones = new Set(
    events.filter(({ status }) => status !== 'archived').map(({ timezone }) => timezone),
  );
  const [zone = null] = zones;
  return zones.size === 1 ? zone : null;
}
