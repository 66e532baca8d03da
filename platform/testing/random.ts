/** A random number generator with a seed. */
export interface SeededRandom {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 (inclusive) to `count` (exclusive). */
  below(count: number): number;
  chance(share: number): boolean;
  /** Errors: `from` is empty. */
  pick<Choice>(from: readonly Choice[]): Choice;
  shuffled<Item>(items: readonly Item[]): Item[];
  /**
   * Returns a generator that depends only on the seed and on `name`, not on the numbers drawn so
   * far.
   */
  branch(name: string): SeededRandom;
}

/** Creates a generator (mulberry32). */
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
      if (from.length === 0) throw new Error('nothing to choose from');
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
