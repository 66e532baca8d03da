import { LRUCache } from 'lru-cache';
import { createLookupBudget, type LookupBudget } from '../api-keys/lookup-budget.ts';
import { networkOf } from './address.ts';

/** Allows each client address a number of requests per second. */
export interface AddressBudget {
  /** Uses one request of this address. Returns false when the limit of the last second is reached. */
  take(ip: string): boolean;
}

const maxAddresses = 50_000;

/** Allows each address `perSecond` requests in every span of one second, on the monotonic clock `nowMs`. */
export function createAddressBudget(perSecond: number, nowMs: () => number): AddressBudget {
  const budgets = new LRUCache<string, LookupBudget>({ max: maxAddresses });
  return {
    take(ip) {
      const address = networkOf(ip);
      const budget = budgets.get(address) ?? createLookupBudget(perSecond, nowMs);
      budgets.set(address, budget);
      return budget.take();
    },
  };
}
