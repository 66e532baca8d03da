import type { Clock } from '@event-api/platform/core/clock';
import { ApiError } from '@event-api/platform/core/errors';
import type { RateLimitResult } from './limit.ts';

/** What an answer tells about the limit: the draft standard's fields and the older `X-` ones. */
export function rateLimitHeaders(usage: RateLimitResult, clock: Clock): Record<string, string> {
  const { limit, remaining, windowSeconds, resetSeconds, resetMs } = usage;
  return {
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.round((clock.now().getTime() + resetMs) / 1000)),
  };
}

/** 429 that says when to retry. */
export const limitExceeded = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'Rate limit exceeded', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
