/** The time of k6, in milliseconds. Its runtime cannot load the clock of the platform. */
export const currentTimeMs = (): number => Date.now();
