/** Choices that are the same for the same seed. */
export interface SeededRandom {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `count`. */
  below(count: number): number;
  chance(share: number): boolean;
  /** Errors: when there is nothing to choose from. */
  pick<Choice>(from: readonly Choice[]): Choice;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** Other choices, which depend on the seed and `name` alone: how often this one was asked makes no difference. */
  branch(name: string): SeededRandom;
}

/** Choices from a seed (mulberry32). */
export function createRandom(seed: number): SeededRandom {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick(from) {
      if (from.length === 0) throw new Error('there is nothing to choose from');
      return from[below(from.length)] as (typeof from)[number];
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
    branch: (name) => createRandom(hashOf(`${seed}/${name}`)),
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
