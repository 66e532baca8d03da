import { projectionTimeouts } from '../../core/timeouts.ts';

const { lineageResyncMinPauseMs, lineageResyncMaxPauseMs, lineageResyncQuietMs } =
  projectionTimeouts;

/** Rebuilds after another. Restores and failovers of several owners at once cause no more. */
const withoutPause = 3;

/** The completed rebuilds that another lineage of an owner has caused. */
export interface LineageResyncs {
  count: number;
  /** When the last one of them started. */
  lastAt: number;
}

export type LineageResyncDecision =
  | { outcome: 'start'; next: LineageResyncs }
  | { outcome: 'wait'; waitMs: number };

/**
 * Whether projections are rebuilt at `now`, in milliseconds, because an owner has another lineage.
 * If lineages change again and again, because processes of the owner use different databases, each
 * rebuild waits longer than the one before it, for at most a minute.
 */
export function decideLineageResync(
  previous: LineageResyncs | null,
  now: number,
): LineageResyncDecision {
  if (!previous || now - previous.lastAt > lineageResyncQuietMs)
    return { outcome: 'start', next: { count: 1, lastAt: now } };
  const { count, lastAt } = previous;
  const pauseMs =
    count < withoutPause
      ? 0
      : Math.min(lineageResyncMinPauseMs * 2 ** (count - withoutPause), lineageResyncMaxPauseMs);
  const waitMs = lastAt + pauseMs - now;
  if (waitMs > 0) return { outcome: 'wait', waitMs };
  return { outcome: 'start', next: { count: count + 1, lastAt: now } };
}
