import { readStored, store } from '../store/own-names.ts';

const key = 'scannerPrefix';

/** What the hardware scanner of this device types before each code; empty by default. */
export const readPrefix = (): string => readStored(key) ?? '';

export const storePrefix = (prefix: string): void => store(key, prefix);
