import type { RateLimitBudget } from '@event-api/contracts/operation';
import type { ApiKeyRecord } from '../api-keys/rules.ts';

/** The limits per minute of keys without their own. */
export type DefaultLimits = Record<RateLimitBudget, number>;

export interface KeyBudget {
  /** What the limiter counts. */
  subject: string;
  limit: number;
}

/**
 * Returns the budget of a key that a request uses. Check-ins have a budget of their own, so that requests of a shop or a
 * synchronization cannot stop a door that uses the same key. A limit of the key for all requests applies to each budget
 * that has no limit of its own.
 */
export function budgetOf(
  { id, rateLimitPerMinute, checkinRateLimitPerMinute }: ApiKeyRecord,
  budget: RateLimitBudget,
  defaults: DefaultLimits,
): KeyBudget {
  if (budget === 'default') return { subject: id, limit: rateLimitPerMinute ?? defaults.default };
  const limit = checkinRateLimitPerMinute ?? rateLimitPerMinute ?? defaults.checkins;
  return { subject: `${id}:checkins`, limit };
}
