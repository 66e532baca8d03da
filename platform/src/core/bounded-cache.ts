import { LRUCache } from 'lru-cache';

/**
 * A cache of up to `maxEntries` entries, which drops the entry that was unused for longest. With
 * `ttl`, in milliseconds, an entry expires. Its memory grows with its entries: with its own option
 * `max` the library would allocate all of them at once.
 */
export const boundedCache = <Key extends {}, Value extends {}>(
  maxEntries: number,
  options: { ttl?: number } = {},
): LRUCache<Key, Value> =>
  new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ...options });
