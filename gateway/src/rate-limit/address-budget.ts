import { boundedCache } from '@event-api/platform/core/bounded-cache';
import { networkOf } from './address.ts';
import { createRequestBudget, type RequestBudget } from './request-budget.ts';

/** Allows each client address a number of requests per second. */
export interface AddressBudget {
  /**
   * Uses one request of this address. Returns false when the limit of the last second is reached.
   */
  take(ip: string): boolean;
}

const maxAddresses = 50_000;

/**
 * Allows each address `perSecond` requests in every span of one second, on the monotonic clock
 * `nowMs`.
 */
export function createAddressBudget(perSecond: number, nowMs: () => number): AddressBudget {
  const budgets = boundedCache<string, RequestBudget>(maxAddresses);
  return {
    take(ip) {
      const address = networkOf(ip);
      const budget = budgets.get(address) ?? createRequestBudget(perSecond, nowMs);
      budgets.set(address, budget);
      return budget.take();
    },
  };
}
