/** The most records that one read finds. */
const maxIds = 100;

/**
 * Divides the ids of a list into parts of 100, and returns the part of each id. The cells of a part share one read. A list that
 * grows at its end keeps its parts, so that only the last one is read again.
 */
export function partsOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, readonly string[]>();
  const unique = [...new Set(ids)];
  for (let start = 0; start < unique.length; start += maxIds) {
    const part = unique.slice(start, start + maxIds);
    for (const id of part) parts.set(id, part);
  }
  return parts;
}
