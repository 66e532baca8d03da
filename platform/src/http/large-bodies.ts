import { unavailable } from '../core/errors.ts';
import { httpTimeouts } from '../core/timeouts.ts';

/**
 * Parsing a body of this size takes about a millisecond. Larger ones are rare: few operations
 * accept one.
 */
const largeBytes = 64 * 1024;

/** The maximum number of waiting bodies, 1 MiB of memory each. */
const maxWaiting = 16;

/** The process spends at most a quarter of its time on large bodies. */
const pauseFactor = 3;

/**
 * Parses and validates large bodies one at a time, each followed by a pause of three times its
 * duration. This work blocks the process; with the pause, other requests do not wait for several
 * large bodies in a row.
 */
export interface LargeBodies {
  /**
   * Resolves when a body of this size may be parsed: immediately for a small one. The caller must
   * then parse without awaiting anything else. Errors: 503 when too many bodies wait.
   */
  turn(bytes: number): Promise<void>;
}

export function createLargeBodies(): LargeBodies {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  function start(): void {
    isBusy = true;
    const startedAt = performance.now();
    // Runs after the work, because that blocks the event loop.
    setImmediate(() => {
      const tookMs = performance.now() - startedAt;
      setTimeout(next, Math.min(httpTimeouts.largeBodyMaxPauseMs, tookMs * pauseFactor));
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
