import { setTimeout as delay } from 'node:timers/promises';
import { type Activity, processActivity } from './activity.ts';

/** A wait that can be ended early. */
export interface Waiter {
  wait(ms: number): Promise<void>;
  /** Ends the current wait or, if there is none, the next one. */
  wake(): void;
  /** Ends the current wait after `ms` unless it ends earlier. */
  shorten(ms: number): void;
}

export function createWaiter(): Waiter {
  let wake: (() => void) | null = null;
  let shorten: (ms: number) => void = () => {};
  let isEnded = false;
  return {
    async wait(ms) {
      if (!isEnded) {
        await new Promise<void>((resolve) => {
          const endsAt = performance.now() + ms;
          let timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          shorten = (toMs) => {
            if (performance.now() + toMs >= endsAt) return;
            clearTimeout(timer);
            timer = setTimeout(resolve, toMs);
          };
        });
      }
      wake = null;
      shorten = () => {};
      isEnded = false;
    },
    wake() {
      if (wake) wake();
      else isEnded = true;
    },
    shorten: (ms) => shorten(ms),
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
    /**
     * The pause while the process is quiet, if it is longer. It ends early when the process has
     * something to do again: the next turn then starts after the usual pause.
     */
    quietIntervalMs?: number | (() => number);
    /** Replaces the activity of the process. */
    activity?: Activity;
    /** Whether the first turn starts immediately instead of after a pause. */
    immediately?: boolean;
    /**
     * Logs a failed turn. It is not called for a turn that fails because the loop is stopped. It
     * must not throw.
     */
    onError: (error: unknown) => void | Promise<void>;
  },
): Loop {
  const { intervalMs, quietIntervalMs = 0, activity = processActivity } = options;
  const { immediately = false, onError } = options;
  const waiter = createWaiter();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function rest(): Promise<void> {
    const usualMs = current(intervalMs);
    const quietMs = current(quietIntervalMs);
    if (quietMs <= usualMs || !activity.isQuiet()) return waiter.wait(usualMs);
    const forget = activity.onResume(() => waiter.shorten(usualMs));
    await waiter.wait(quietMs);
    forget();
  }

  async function run(): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      if (!isFirst || !immediately) await rest();
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

const current = (ms: number | (() => number)): number => (typeof ms === 'number' ? ms : ms());

/** Waits until the time has passed or `signal` aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {});
