import type { RateLimitBudget } from '@event-api/contracts/operation';
import type { Clock } from '@event-api/platform/core/clock';
import { ApiError } from '@event-api/platform/core/errors';
import type { RateLimitResult } from './limit.ts';

/**
 * Returns the rate limit headers of a response: the fields of the IETF draft, which name the
 * budget, and the older `X-` ones.
 */
export function rateLimitHeaders(
  budget: RateLimitBudget,
  usage: RateLimitResult,
  clock: Clock,
): Record<string, string> {
  const { limit, remaining, windowSeconds, resetSeconds, resetMs } = usage;
  return {
    'ratelimit-policy': `"${budget}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${budget}";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.round((clock.now().getTime() + resetMs) / 1000)),
  };
}

/** 429 with the time until a retry can succeed. */
export const limitExceeded = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'Rate limit exceeded', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
