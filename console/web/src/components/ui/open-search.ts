import { createContext, useContext } from 'react';

/** With which text the search of everything begins, and whether it leaves the event of the page. */
export interface SearchStart {
  query: string;
  isEverywhere: boolean;
}

export const emptySearch: SearchStart = { query: '', isEverywhere: false };

/** Opens the search of everything. */
export const OpenSearchContext = createContext<(start: SearchStart) => void>(() => {});

export const useOpenSearch = () => useContext(OpenSearchContext);
