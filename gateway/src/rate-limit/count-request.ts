import type { RequestBudgets } from './budget.ts';
import type { RateLimiter, RateLimitResult } from './limit.ts';

/** Whose budget a result describes. */
export type BudgetOwner = 'key' | 'unit';

export interface RequestUsage {
  owner: BudgetOwner;
  usage: RateLimitResult;
  /** The read-after fields loaded by the same call. */
  readAfterFields: string[][];
}

/**
 * Counts a request of a key, and of its business unit, in one call to Redis. Returns the budget
 * that rejects the request, or the one that has fewer requests left. A request of a key that is
 * used up is not counted for the unit, so that one key cannot use the budget of the others.
 */
export async function countRequest(
  limiter: RateLimiter,
  { key, unit }: RequestBudgets,
  tokenKeys: readonly string[],
): Promise<RequestUsage> {
  const isShared = unit !== null && !limiter.isUsedUp(key.subject, key.limit);
  const [ofKey, ofUnit] = await Promise.all([
    limiter.consume(key.subject, key.limit, tokenKeys),
    isShared ? limiter.consume(unit.subject, unit.limit) : null,
  ]);
  const { readAfterFields } = ofKey;
  return ofUnit && isTighter(ofUnit, ofKey)
    ? { owner: 'unit', usage: ofUnit, readAfterFields }
    : { owner: 'key', usage: ofKey, readAfterFields };
}

/** Returns whether the budget of a unit is the one that a client must respect. */
const isTighter = (unit: RateLimitResult, key: RateLimitResult): boolean =>
  key.allowed && (!unit.allowed || unit.remaining < key.remaining);
