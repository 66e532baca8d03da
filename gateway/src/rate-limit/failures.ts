import { boundedCache } from '@event-api/platform/core/bounded-cache';
import type { Clock } from '@event-api/platform/core/clock';
import { networkOf } from './address.ts';
import type { RateLimiter, RateLimitResult } from './limit.ts';

/**
 * Counts failed requests by client address. Successful requests are neither counted nor delayed.
 */
export interface FailureLimit {
  /**
   * Returns whether the address has reached its limit. Reads memory only: another gateway with the
   * same Redis applies the limit after its own next failure.
   */
  isBlocked(ip: string): boolean;
  /** Counts a failure. `allowed` is false when the address was at its limit before. */
  count(ip: string): Promise<RateLimitResult>;
}

const maxAddresses = 50_000;

/**
 * Creates a limit of `limit` failures per window and address. `name` separates its counters in
 * Redis.
 */
export function createFailureLimit(options: {
  name: string;
  limit: number;
  limiter: RateLimiter;
  clock: Clock;
}): FailureLimit {
  const { name, limit, limiter, clock } = options;
  const blockedUntil = boundedCache<string, number>(maxAddresses);
  return {
    isBlocked: (ip) => (blockedUntil.get(networkOf(ip)) ?? 0) > clock.now().getTime(),
    async count(ip) {
      const address = networkOf(ip);
      const usage = await limiter.consume(`${name}:${address}`, limit);
      if (usage.remaining === 0) blockedUntil.set(address, clock.now().getTime() + usage.resetMs);
      return usage;
    },
  };
}
