import type { RateLimitBudget } from '@event-api/contracts/operation';

/** The limits per minute of keys without their own. */
export interface DefaultLimits extends Record<RateLimitBudget, number> {
  /** How many times these limits all keys of a business unit may use together. */
  unitFactor: number;
}

/** The limits of a key per minute; null where it has none of its own. */
export interface LimitedKey {
  id: string;
  businessUnitId: string;
  kind: string;
  rateLimitPerMinute: number | null;
  checkinRateLimitPerMinute: number | null;
}

/** The requests of a device per minute: ten scans a second, with some for the roster. */
const deviceRequestsPerMinute = 600;

/** A counter and its limit. */
export interface Budget {
  /** What the limiter counts. */
  subject: string;
  limit: number;
}

export interface RequestBudgets {
  key: Budget;
  /** The budget that the keys of a business unit share, or null for a key that does not use it. */
  unit: Budget | null;
}

/**
 * Returns the budgets that a request uses. The change feed has a budget of its own, so that
 * following it takes nothing from other requests. Check-ins have a budget of their own, so that
 * requests of a shop or a synchronization cannot stop a door that uses the same key. A limit of the
 * other requests raises that of check-ins, if they have none of their own, and does not lower it. A
 * device has one budget for everything.
 *
 * The keys of a business unit share a budget, because the unit can create as many keys as it needs.
 * A key with a limit of its own does not use it: only an operator of the platform sets such a
 * limit. A device does not use it either, so that a shop cannot stop a door.
 */
export function budgetsOf(
  key: LimitedKey,
  budget: RateLimitBudget,
  defaults: DefaultLimits,
): RequestBudgets {
  const { id, businessUnitId, kind } = key;
  if (kind === 'device')
    return { key: { subject: id, limit: deviceRequestsPerMinute }, unit: null };
  const own = ownLimit(key, budget, defaults);
  const suffix = budget === 'default' ? '' : `:${budget}`;
  const shared = {
    subject: `${businessUnitId}${suffix}`,
    limit: defaults[budget] * defaults.unitFactor,
  };
  return {
    key: { subject: `${id}${suffix}`, limit: own ?? defaults[budget] },
    unit: own === null ? shared : null,
  };
}

/** The limit that a key has of its own, or null. */
function ownLimit(
  { rateLimitPerMinute, checkinRateLimitPerMinute }: LimitedKey,
  budget: RateLimitBudget,
  defaults: DefaultLimits,
): number | null {
  if (budget === 'changes') return null;
  if (budget === 'default') return rateLimitPerMinute;
  if (checkinRateLimitPerMinute !== null) return checkinRateLimitPerMinute;
  const raised = rateLimitPerMinute ?? 0;
  return raised > defaults.checkins ? raised : null;
}
