/** The most records that one read finds. */
const maxIds = 100;

/**
 * Divides ids into parts of 100, each id once. A list that grows at its end keeps its parts, so
 * that only the last one is read again.
 */
export function divideIds(ids: readonly string[]): (readonly string[])[] {
  const unique = [...new Set(ids)];
  return Array.from({ length: Math.ceil(unique.length / maxIds) }, (_, index) =>
    unique.slice(index * maxIds, (index + 1) * maxIds),
  );
}

/** The part of each id, which is read at once. The cells of a part share one read. */
export const partsOf = (ids: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  new Map(divideIds(ids).flatMap((part) => part.map((id) => [id, part] as const)));
