import type { RateLimitBudget } from '@event-api/contracts/operation';
import type { Clock } from '@event-api/platform/core/clock';
import { ApiError } from '@event-api/platform/core/errors';
import type { BudgetOwner, RequestUsage } from './count-request.ts';

/**
 * Returns the rate limit headers of a response: the fields of the IETF draft, which name the
 * budget (`default`, or `default-unit` for the one of the business unit), and the older `X-` ones.
 */
export function rateLimitHeaders(
  budget: RateLimitBudget | 'claims',
  { owner, usage }: RequestUsage,
  clock: Clock,
): Record<string, string> {
  const policy = owner === 'unit' ? `${budget}-unit` : budget;
  const { limit, remaining, windowSeconds, resetSeconds, resetMs } = usage;
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.round((clock.now().getTime() + resetMs) / 1000)),
  };
}

const messages: Record<BudgetOwner, string> = {
  key: 'Rate limit exceeded',
  unit: 'Rate limit of all keys of the business unit exceeded',
};

/** 429 with the time until a retry can succeed. */
export const limitExceeded = (retryAfterSeconds: number, owner: BudgetOwner = 'key'): ApiError =>
  new ApiError(429, messages[owner], { headers: { 'retry-after': String(retryAfterSeconds) } });
