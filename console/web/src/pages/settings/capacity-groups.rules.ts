import type { Event, TicketType } from '../../api/records.ts';

type Group = Event['capacityGroups'][number];

/** A shared capacity as it is edited. A new one has no id. */
export interface EditedGroup {
  id: string | null;
  name: string;
  capacity: number | null;
}

/** The shared capacities as an update of the event takes them. */
export const toGroups = (edited: readonly EditedGroup[]) =>
  edited.map(({ id, name, capacity }) => ({
    ...(id !== null && { id }),
    name: name.trim(),
    capacity,
  }));

/** What the ticket types of an event take of a shared capacity. */
export interface GroupUse {
  /** The sold and held seats, also those of archived types. */
  taken: number;
  /** The names of the types that keep it from being removed. */
  typeNames: string[];
}

/** Sums up what is taken of a shared capacity, and by which types. */
export function groupUse(
  id: Group['id'] | null,
  types: readonly Pick<TicketType, 'capacityGroupId' | 'name' | 'status' | 'availability'>[],
): GroupUse {
  const sharing = types.filter(({ capacityGroupId }) => id !== null && capacityGroupId === id);
  return {
    taken: sharing.reduce(
      (sum, { availability }) => sum + availability.confirmed + availability.held,
      0,
    ),
    typeNames: sharing.flatMap(({ name, status }) => (status === 'archived' ? [] : name)),
  };
}
