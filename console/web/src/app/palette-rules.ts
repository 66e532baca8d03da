import type { Search } from '@event-api/contracts/operator/search';
import type { Event } from '../api/records.ts';

/**
 * A search outside of an event sends one request per event and kind, so it does not cover all
 * events of a long history.
 */
export const searchedEvents = 10;

type Dated = Pick<Event, 'id' | 'name' | 'status' | 'startsAt'>;

/**
 * The events that a search outside of an event covers: those that start or have started nearest to
 * now, without archived ones.
 */
export function eventsToSearch<E extends Dated>(events: readonly E[], now: Date): E[] {
  const distance = ({ startsAt }: E) =>
    startsAt === null ? Number.MAX_VALUE : Math.abs(Date.parse(startsAt) - now.getTime());
  return events
    .filter(({ status }) => status !== 'archived')
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, searchedEvents);
}

/** What a text finds in one event, and how. */
export interface FoundIn<T> {
  event: Event;
  found: T[];
  foundBy: Search['by'] | null;
}

/** Names that are only similar are left out if another event has what was searched. */
export function withoutSimilar<Result extends Pick<FoundIn<unknown>, 'foundBy'>>(
  results: readonly Result[],
): readonly Result[] {
  const exact = results.filter(({ foundBy }) => foundBy !== 'similarName');
  return exact.some(({ foundBy }) => foundBy !== null) ? exact : results;
}

/**
 * The first entries of each list in turns, so that the results of one event do not hide those of
 * the others.
 */
export function inTurns<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => turn)
    .flatMap((turn) => lists.flatMap((list) => list.slice(turn, turn + 1)))
    .slice(0, limit);
}
