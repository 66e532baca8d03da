import { setTimeout as delay } from 'node:timers/promises';

/** Repeats `attempt` until it does not throw, for `withinMs` at most; then its last error is the answer. */
export async function eventually<Result>(
  attempt: () => Promise<Result> | Result,
  withinMs = 5000,
): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(20);
    }
  }
}
