import type { Event, TicketType } from '../../api/records.ts';

export type EventGroup = 'upcoming' | 'past' | 'drafts';

/** Each event with its numbers takes a request, so only the events that start next show them. */
export const eventsWithSeats = 20;

type Dated = Pick<Event, 'name' | 'status' | 'startsAt' | 'endsAt'>;

/**
 * Where an event is in the list. Archived events without dates are past, because nothing happens in
 * them any more.
 */
export function groupOf({ status, startsAt, endsAt }: Dated, now: Date): EventGroup {
  if (status === 'draft') return 'drafts';
  const last = endsAt ?? startsAt;
  if (last === null) return status === 'archived' ? 'past' : 'upcoming';
  return Date.parse(last) < now.getTime() ? 'past' : 'upcoming';
}

/**
 * The events whose name contains the text, by group: the next start first, in the past the latest.
 * Events without a start are last.
 */
export function groupEvents<E extends Dated>(
  events: readonly E[],
  { name, now }: { name: string; now: Date },
): Record<EventGroup, E[]> {
  const text = name.trim().toLowerCase();
  const groups: Record<EventGroup, E[]> = { upcoming: [], past: [], drafts: [] };
  for (const event of events) {
    if (event.name.toLowerCase().includes(text)) groups[groupOf(event, now)].push(event);
  }
  return {
    upcoming: groups.upcoming.toSorted(byStart(1)),
    past: groups.past.toSorted(byStart(-1)),
    drafts: groups.drafts.toSorted(byStart(1)),
  };
}

const byStart =
  (direction: 1 | -1) =>
  (one: Dated, other: Dated): number => {
    if (one.startsAt === null || other.startsAt === null) {
      return Number(one.startsAt === null) - Number(other.startsAt === null);
    }
    return direction * (Date.parse(one.startsAt) - Date.parse(other.startsAt));
  };

export interface SoldSeats {
  sold: number;
  /** Null means unlimited. */
  capacity: number | null;
}

/**
 * The seats of all ticket types. An archived type has as many as are sold: its other seats cannot
 * be sold any more.
 */
export function seatsOf(
  types: readonly Pick<TicketType, 'status' | 'capacity' | 'counts'>[],
): SoldSeats {
  const capacities = types.map(({ status, capacity, counts }) =>
    status === 'archived' ? counts.confirmed : capacity,
  );
  return {
    sold: types.reduce((sum, { counts }) => sum + counts.confirmed, 0),
    capacity: capacities.reduce<number | null>(
      (sum, capacity) => (sum === null || capacity === null ? null : sum + capacity),
      0,
    ),
  };
}
