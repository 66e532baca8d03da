import type { RateLimitBudget } from '@event-api/contracts/operation';

/** The limits per minute of keys without their own. */
export type DefaultLimits = Record<RateLimitBudget, number>;

/** The limits of a key per minute; null where it has none of its own. */
export interface LimitedKey {
  id: string;
  kind: string;
  rateLimitPerMinute: number | null;
  checkinRateLimitPerMinute: number | null;
}

/** The requests of a device per minute: ten scans a second, with some for the roster. */
const deviceRequestsPerMinute = 600;

export interface KeyBudget {
  /** What the limiter counts. */
  subject: string;
  limit: number;
}

/**
 * Returns the budget of a key that a request uses. The change feed has a budget of its own, so that
 * following it takes nothing from other requests. Check-ins have a budget of their own, so that
 * requests of a shop or a synchronization cannot stop a door that uses the same key. A limit of the
 * other requests raises that of check-ins, if they have none of their own, and does not lower it. A
 * device has one budget for everything.
 */
export function budgetOf(
  { id, kind, rateLimitPerMinute, checkinRateLimitPerMinute }: LimitedKey,
  budget: RateLimitBudget,
  defaults: DefaultLimits,
): KeyBudget {
  if (kind === 'device') return { subject: id, limit: deviceRequestsPerMinute };
  if (budget === 'changes') return { subject: `${id}:changes`, limit: defaults.changes };
  if (budget === 'default') return { subject: id, limit: rateLimitPerMinute ?? defaults.default };
  const limit = checkinRateLimitPerMinute ?? Math.max(rateLimitPerMinute ?? 0, defaults.checkins);
  return { subject: `${id}:checkins`, limit };
}
