import type { RosterBadge } from '@event-api/contracts/http/roster';
import { matchesName } from '@event-api/contracts/name-words';
import { findBadges } from '../store/roster.ts';

const minLength = 2;
const limit = 8;

/**
 * The badges of the roster whose name matches, at most eight, by name; null for a query that is too
 * short.
 */
export async function findByName(query: string): Promise<RosterBadge[] | null> {
  if (query.trim().length < minLength) return null;
  const badges = await findBadges(({ name }) => name !== null && matchesName(name, query), limit);
  return badges.sort((one, other) => (one.name ?? '').localeCompare(other.name ?? ''));
}
