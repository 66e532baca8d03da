import { unavailable } from '../core/errors.ts';

/** Parsing a body of this size takes about a millisecond. Larger ones are rare: few operations accept one. */
const largeBytes = 64 * 1024;

/** How many may wait, with 1 MiB of memory each. */
const maxWaiting = 16;

/** The process spends a quarter of its time on large bodies, at most. */
const pauseFactor = 3;
const maxPauseMs = 500;

/**
 * Has large bodies parsed and validated one at a time, with a pause of three times as long after each. That work blocks the
 * process; this way, other requests do not wait for several large bodies in a row.
 */
export interface LargeBodies {
  /**
   * Resolves when a body of so many bytes may be parsed: for a small one at once. The work has to follow without waiting
   * for anything else. Errors: 503 when too many are waiting.
   */
  turn(bytes: number): Promise<void>;
}

export function createLargeBodies(): LargeBodies {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  function start(): void {
    isBusy = true;
    const startedAt = performance.now();
    // Runs when the work is done, because that blocks the event loop.
    setImmediate(() => {
      const tookMs = performance.now() - startedAt;
      setTimeout(next, Math.min(maxPauseMs, tookMs * pauseFactor));
    });
  }

  function next(): void {
    const resolve = waiting.shift();
    if (!resolve) {
      isBusy = false;
      return;
    }
    start();
    resolve();
  }

  return {
    async turn(bytes) {
      if (bytes <= largeBytes) return;
      if (!isBusy) return start();
      if (waiting.length >= maxWaiting) throw unavailable();
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
