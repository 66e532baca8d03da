/** Allows a number of look-ups per second. */
export interface LookupBudget {
  /** Uses one look-up. Returns false when the limit of the last second is reached. */
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
