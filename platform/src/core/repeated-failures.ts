import { failureLogTimeouts } from './timeouts.ts';

const { minPauseMs, maxPauseMs, quietMs } = failureLogTimeouts;

/** A failure that repeats. */
export interface Repetition {
  /** Time of the last failure. */
  lastAt: number;
  /** Failures are reported again from this time on. */
  reportAt: number;
  pauseMs: number;
  /** Failures since the last report. */
  suppressed: number;
}

export type ReportDecision =
  | { kind: 'report'; suppressed: number; next: Repetition }
  | { kind: 'suppress'; next: Repetition };

/**
 * Whether to report a failure at `now`, in milliseconds. The first one is reported, the following
 * ones after 10 s, 20 s, 40 s and so on, at least once per hour: a log remains readable, and its
 * newest part names the outage.
 */
export function decideReport(previous: Repetition | null, now: number): ReportDecision {
  if (!previous || now - previous.lastAt > Math.max(quietMs, previous.pauseMs)) {
    const next = { lastAt: now, reportAt: now + minPauseMs, pauseMs: minPauseMs, suppressed: 0 };
    return { kind: 'report', suppressed: 0, next };
  }
  if (now < previous.reportAt) {
    const next = { ...previous, lastAt: now, suppressed: previous.suppressed + 1 };
    return { kind: 'suppress', next };
  }
  const pauseMs = Math.min(previous.pauseMs * 2, maxPauseMs);
  const next = { lastAt: now, reportAt: now + pauseMs, pauseMs, suppressed: 0 };
  return { kind: 'report', suppressed: previous.suppressed, next };
}

/**
 * Passes a failure of repeated work to `write` at a decreasing rate, with the number of failures
 * since the last one that it wrote.
 */
export function reportRepeated(
  write: (error: unknown, suppressed: number) => void,
): (error: unknown) => void {
  let repetition: Repetition | null = null;
  return (error) => {
    const decision = decideReport(repetition, performance.now());
    repetition = decision.next;
    if (decision.kind === 'report') write(error, decision.suppressed);
  };
}
