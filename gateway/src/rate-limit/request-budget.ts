import { timeouts } from '../timeouts.ts';

/** Allows a number of requests per second. */
export interface RequestBudget {
  /** Uses one request. Returns false when the limit of the last second is reached. */
  take(): boolean;
}

/** Allows `perSecond` requests in every span of one second, on the monotonic clock `nowMs`. */
export function createRequestBudget(perSecond: number, nowMs: () => number): RequestBudget {
  let taken: number[] = [];
  return {
    take() {
      const now = nowMs();
      taken = taken.filter((at) => now - at < timeouts.budgetWindowMs);
      if (taken.length >= perSecond) return false;
      taken.push(now);
      return true;
    },
  };
}
