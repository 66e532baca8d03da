import { boundedCache } from './bounded-cache.ts';
import type { Clock } from './clock.ts';

/** How many requests a window has, and when it ends. */
export interface WindowCount {
  count: number;
  leftMs: number;
}

export interface FixedWindow {
  /** Counts a request of `subject`. */
  consume(subject: string): WindowCount;
  /** Returns the requests of `subject` in the current window, without counting one. */
  countOf(subject: string): number;
  /** Takes over the count of another source if it is higher. */
  learn(subject: string, count: number): void;
}

/** A fixed window like the one in Redis, in this process's memory and on its clock. */
export function createFixedWindow(windowMs: number, clock: Clock): FixedWindow {
  const counters = boundedCache<string, { start: number; count: number }>(100_000);

  function counterOf(subject: string, start: number): { start: number; count: number } {
    const existing = counters.get(subject);
    if (existing?.start === start) return existing;
    const counter = { start, count: 0 };
    counters.set(subject, counter);
    return counter;
  }

  return {
    countOf(subject) {
      const now = clock.now().getTime();
      const counter = counters.get(subject);
      return counter?.start === now - (now % windowMs) ? counter.count : 0;
    },
    consume(subject) {
      const now = clock.now().getTime();
      const start = now - (now % windowMs);
      const counter = counterOf(subject, start);
      counter.count += 1;
      return { count: counter.count, leftMs: start + windowMs - now };
    },
    learn(subject, count) {
      const now = clock.now().getTime();
      const counter = counterOf(subject, now - (now % windowMs));
      counter.count = Math.max(counter.count, count);
    },
  };
}
