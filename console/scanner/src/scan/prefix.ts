const key = 'scannerPrefix';

/** What the hardware scanner of this device types before each code; empty by default. */
export const readPrefix = (): string => localStorage.getItem(key) ?? '';

export const storePrefix = (prefix: string): void => localStorage.setItem(key, prefix);
