/** Allows a number of look-ups per second. */
export interface LookupBudget {
  /** Takes one look-up. False when those of the last second are used up. */
  take(): boolean;
}

const windowMs = 1000;

/** Allows `perSecond` look-ups in every span of one second, on the monotonic clock `nowMs`. */
export function createLookupBudget(perSecond: number, nowMs: () => number): LookupBudget {
  let taken: number[] = [];
  return {
    take() {
      const now = nowMs();
      taken = taken.filter((at) => now - at < windowMs);
      if (taken.length >= perSecond) return false;
      taken.push(now);
      return true;
    },
  };
}
