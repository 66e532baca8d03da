import { createContext, useContext } from 'react';

/**
 * Whether the links of the rows leave the page where it is, because they open a panel beside it.
 */
const KeepsScroll = createContext(false);
export const KeepsScrollProvider = KeepsScroll.Provider;
export const useKeepsScroll = (): boolean => useContext(KeepsScroll);
