import { ApiError } from '../api/error.ts';
import { partOf } from '../api/parts.ts';
import { errorText } from '../text/errors.ts';

export const isAway = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.isUnavailable;

/**
 * Why a query could not be read. While it is read again without earlier data, its state forgets
 * that; it stays the last error.
 */
export const lastErrorOf = (
  state: { status: 'pending' | 'error' | 'success'; error: Error | null },
  last: Error | null,
): Error | null => (state.status === 'pending' ? last : state.error);

/**
 * The names of the parts that these errors say are down; `unreachable` if it is the console itself,
 * empty if none is.
 */
export function partsAway(errors: readonly (Error | null)[]): string {
  const away = errors.filter(isAway);
  if (away.some(({ code }) => code === 0)) return 'unreachable';
  const names = away.map(({ operation }) => errorText.parts[partOf(operation)]);
  return [...new Set(names)].join(', ');
}
