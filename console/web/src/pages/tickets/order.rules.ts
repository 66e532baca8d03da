import type { Write } from '../../api/actions.ts';

/** Something that is sold, with its place in the list. */
export interface Ordered {
  id: string;
  status: string;
  sortOrder: number;
}

/** What can be moved, and the archived rest, which comes last. */
export function splitArchived<Item extends Ordered>(items: readonly Item[]) {
  const isArchived = ({ status }: Item) => status === 'archived';
  return {
    live: items.filter((item) => !isArchived(item)),
    archived: items.filter(isArchived),
  };
}

/** The items in a chosen order. Those that it does not name stay behind the others. */
export const inOrder = <Item extends { id: string }>(
  items: readonly Item[],
  order: readonly string[],
): Item[] => {
  const placeOf = (id: string) => {
    const place = order.indexOf(id);
    return place < 0 ? order.length : place;
  };
  return items.toSorted((one, other) => placeOf(one.id) - placeOf(other.id));
};

/** The ids after one was moved to a place. A place outside of the list is its nearest end. */
export function moveTo(ids: readonly string[], id: string, place: number): string[] {
  const rest = ids.filter((each) => each !== id);
  return rest.toSpliced(Math.max(0, place), 0, id);
}

/** The writes that store an order: those of the items whose place is another than before. */
export const orderWrites = (
  ids: readonly string[],
  places: ReadonlyMap<string, number>,
  folder: string,
): Write[] =>
  ids.flatMap((id, sortOrder) =>
    places.get(id) === sortOrder
      ? []
      : [{ method: 'PATCH' as const, path: `${folder}/${id}`, body: { sortOrder } }],
  );

/** The place of a new item: behind all others. */
export const nextPlace = (items: readonly Pick<Ordered, 'sortOrder'>[]): number =>
  items.reduce((next, { sortOrder }) => Math.max(next, sortOrder + 1), 0);
