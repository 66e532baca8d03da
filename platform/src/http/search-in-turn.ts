import type { Search } from '@event-api/contracts/operator/search';

/** What a search has found, with its place among those of the text. */
export interface Found<Row> {
  rows: Row[];
  place: number;
  foundBy: Search['by'] | null;
}

/**
 * Tries the searches of a text in turn until one finds something. A page after the first continues
 * the search with the place of its cursor.
 */
export async function searchInTurn<Row>(
  searches: readonly Search[],
  continued: number | undefined,
  read: (search: Search) => Promise<Row[]>,
): Promise<Found<Row>> {
  for (const [place, search] of searches.entries()) {
    if (continued !== undefined && place !== continued) continue;
    const rows = await read(search);
    if (rows.length > 0) return { rows, place, foundBy: search.by };
  }
  return { rows: [], place: 0, foundBy: null };
}
