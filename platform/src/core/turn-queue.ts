/**
 * Waiting items of several groups. The groups take turns; within a group the oldest item is first.
 */
export interface TurnQueue<Item> {
  add(group: string, item: Item): void;
  /** The groups with items, in the order of their turns. */
  groups(): Iterable<string>;
  /** The oldest item of a group. */
  first(group: string): Item | undefined;
  /**
   * Removes the oldest item of a group. The next turn of the group comes after those of all other
   * groups.
   */
  take(group: string): Item | undefined;
  remove(group: string, item: Item): void;
  sizeOf(group: string): number;
  size(): number;
}

export function createTurnQueue<Item>(): TurnQueue<Item> {
  // The order of the entries is the order of the turns.
  const itemsOf = new Map<string, Item[]>();
  let size = 0;
  return {
    add(group, item) {
      size += 1;
      const items = itemsOf.get(group);
      if (items) items.push(item);
      else itemsOf.set(group, [item]);
    },
    groups: () => itemsOf.keys(),
    first: (group) => itemsOf.get(group)?.[0],
    take(group) {
      const items = itemsOf.get(group);
      if (!items) return;
      const item = items.shift();
      size -= 1;
      itemsOf.delete(group);
      if (items.length > 0) itemsOf.set(group, items);
      return item;
    },
    remove(group, item) {
      const items = itemsOf.get(group);
      const index = items?.indexOf(item) ?? -1;
      if (!items || index < 0) return;
      items.splice(index, 1);
      size -= 1;
      if (items.length === 0) itemsOf.delete(group);
    },
    sizeOf: (group) => itemsOf.get(group)?.length ?? 0,
    size: () => size,
  };
}
