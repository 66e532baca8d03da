import { unavailable } from '../core/errors.ts';
import { createTurnQueue } from '../core/turn-queue.ts';

/**
 * Runs one piece of work at a time, with a pause after it that is as long as the work was if more
 * waits: other requests get at least half of the time. Each keeps the request, the actor and the
 * trace that it was added with.
 */
export interface SerialQueue {
  /**
   * Runs `work` when all earlier work of its group has ended; the groups take turns. Errors: 503
   * when too many wait in its group or it has waited too long, and it does not run then; those of
   * `work`.
   */
  run<Result>(group: string, work: () => Promise<Result>): Promise<Result>;
  /** Whether the next work of a group would be rejected. */
  isFull(group: string): boolean;
  /** How many wait. */
  waiting(): number;
}

export function createSerialQueue(options: {
  name: string;
  /** The most that wait in one group. */
  maxWaiting: number;
  maxWaitMs: number;
  /** Work that took longer has waited itself, for example for a lock. */
  maxPauseMs: number;
}): SerialQueue {
  const { name, maxWaiting, maxWaitMs, maxPauseMs } = options;
  const waiting = createTurnQueue<() => void>();
  let isBusy = false;

  function startNext(): void {
    const [group] = waiting.groups();
    const start = group === undefined ? undefined : waiting.take(group);
    if (start) start();
    else isBusy = false;
  }

  const isFull = (group: string): boolean => waiting.sizeOf(group) >= maxWaiting;

  async function turnOf(group: string): Promise<void> {
    if (!isBusy) {
      isBusy = true;
      return;
    }
    if (isFull(group)) throw unavailable(new Error(`too many wait in the queue "${name}"`));
    const queuedAt = performance.now();
    await new Promise<void>((resolve) => waiting.add(group, resolve));
    if (performance.now() - queuedAt <= maxWaitMs) return;
    startNext();
    throw unavailable(new Error(`waited too long in the queue "${name}"`));
  }

  return {
    async run(group, work) {
      await turnOf(group);
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        if (waiting.size() === 0) startNext();
        else setTimeout(startNext, Math.min(maxPauseMs, performance.now() - startedAt));
      }
    },
    isFull,
    waiting: waiting.size,
  };
}
