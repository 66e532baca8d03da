/**
 * How a change of filters enters the history: as an entry of its own, or in place of the present
 * one.
 */
export type HistoryStep = 'push' | 'replace';

/** The filters that a change sets, without the number of loaded pages, which follows from them. */
export const filtersOf = (change: Readonly<Record<string, unknown>>): string =>
  Object.keys(change)
    .filter((name) => name !== 'pages')
    .toSorted()
    .join();

/**
 * Successive changes of one filter are one entry, so that Back leaves a search with one click and
 * not letter by letter. More loaded pages are no step of their own. `last` are the filters that the
 * present entry was added for.
 */
export const decideStep = (last: string | undefined, filters: string): HistoryStep =>
  filters === '' || filters === last ? 'replace' : 'push';
