import { setTimeout as delay } from 'node:timers/promises';

/** A wait that can be ended early. */
export interface Waiter {
  wait(ms: number): Promise<void>;
  /** Ends the current wait or, if there is none, the next one. */
  wake(): void;
}

export function createWaiter(): Waiter {
  let wake: (() => void) | null = null;
  let isEnded = false;
  return {
    async wait(ms) {
      if (!isEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      isEnded = false;
    },
    wake() {
      if (wake) wake();
      else isEnded = true;
    },
  };
}

/** Work that repeats in the background. */
export interface Loop {
  /** Starts the next turn immediately or, while one runs, right after it. */
  wake(): void;
  /** Ends the loop. Resolves when the running turn has ended, so a turn must not await it. */
  stop(): Promise<void>;
}

/**
 * Repeats `turn`, never concurrently, with a pause after each turn. `signal` aborts when the loop
 * is stopped; a long turn should end then. A failed turn does not end the loop.
 */
export function every(
  turn: (signal: AbortSignal) => Promise<void>,
  options: {
    /** The pause after a turn. A function is called after each turn. */
    intervalMs: number | (() => number);
    /** Whether the first turn starts immediately instead of after a pause. */
    immediately?: boolean;
    /**
     * Logs a failed turn. It is not called for a turn that fails because the loop is stopped. It
     * must not throw.
     */
    onError: (error: unknown) => void | Promise<void>;
  },
): Loop {
  const { intervalMs, immediately = false, onError } = options;
  const waiter = createWaiter();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      if (!isFirst || !immediately)
        await waiter.wait(typeof intervalMs === 'number' ? intervalMs : intervalMs());
      if (signal.aborted) return;
      try {
        await turn(signal);
      } catch (error) {
        if (!signal.aborted) await onError(error);
      }
    }
  }

  const running = run();
  return {
    wake: waiter.wake,
    async stop() {
      stopping.abort();
      waiter.wake();
      await running;
    },
  };
}

/** Waits until the time has passed or `signal` aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {});
