import type { RosterBadge } from '@event-api/contracts/http/roster';
import { findBadges } from '../store/roster.ts';

const minLength = 2;
const limit = 8;

/** The words of a text for comparison: without accents and case. In upper case, `ß` is `SS`. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether every word of the query begins a word of the name. */
export function matchesName(name: string, query: string): boolean {
  const words = wordsOf(name);
  return wordsOf(query).every((part) => words.some((word) => word.startsWith(part)));
}

/** The badges of the roster whose name matches, at most eight, by name; null for a query that is too short. */
export async function findByName(query: string): Promise<RosterBadge[] | null> {
  if (query.trim().length < minLength) return null;
  const badges = await findBadges(({ name }) => name !== null && matchesName(name, query), limit);
  return badges.sort((one, other) => (one.name ?? '').localeCompare(other.name ?? ''));
}
