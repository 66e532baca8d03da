/** An entry of the audit log, as far as its place in the list goes. */
export interface Placed {
  id: string;
  at: string;
}

/**
 * What one owner returned: entries newest first, and the cursor of its next page. Null if it is
 * away.
 */
export interface OwnerPage<Entry extends Placed> {
  owner: string;
  /** The cursor with which the page was read; undefined for its first page. */
  cursor: string | undefined;
  page: { entries: readonly Entry[]; nextCursor: string | null } | null;
}

/**
 * Where a merged list continues: below the last entry, at each owner with the page that contains
 * the next one.
 */
export interface MergePosition {
  last: Placed;
  /** An owner without a cursor is read from its first page. */
  cursors: Readonly<Record<string, string>>;
}

export interface MergedPage<Entry extends Placed> {
  entries: Entry[];
  next: MergePosition | null;
  /** The owners whose entries are missing. */
  incomplete: string[];
}

/** Entries are ordered by their time, then by their id, newest first. */
const isBefore = (one: Placed, other: Placed): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id);

/**
 * Merges the pages of the owners into one page of at most `limit` entries below `last`. It ends
 * before the end of a page that continues, because the next page of that owner may have the next
 * entry.
 */
export function mergePages<Entry extends Placed>(
  pages: readonly OwnerPage<Entry>[],
  last: Placed | null,
  limit: number,
): MergedPage<Entry> {
  const present = pages.flatMap(({ page }) => page ?? []);
  const below = (entry: Entry) => last === null || isBefore(last, entry);
  // The lowest entry of each page that continues: what is below it is not known yet.
  const ends = present.flatMap(({ entries, nextCursor }) =>
    nextCursor === null ? [] : entries.slice(-1),
  );
  const isCovered = (entry: Entry) => ends.every((end) => !isBefore(end, entry));
  const positions = present
    .flatMap(({ entries }) => entries.filter(below))
    .filter(isCovered)
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
  const entries = positions.slice(0, limit);
  const lowest = entries.at(-1) ?? last;
  const hasMore = positions.length > limit || ends.length > 0;
  const incomplete = pages.filter(({ page }) => page === null).map(({ owner }) => owner);
  if (!hasMore || !lowest) return { entries, next: null, incomplete };
  const cursors = pages.flatMap(({ owner, cursor, page }) => {
    const end = page?.entries.at(-1);
    const isRead = end !== undefined && !isBefore(lowest, end);
    const next = isRead && page?.nextCursor ? page.nextCursor : cursor;
    return next === undefined ? [] : [[owner, next] as const];
  });
  const { id, at } = lowest;
  return { entries, next: { last: { id, at }, cursors: Object.fromEntries(cursors) }, incomplete };
}
