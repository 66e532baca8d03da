import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats `attempt` until it does not throw. After the time-out it throws the last error. The
 * default is long: it costs time only when a test fails, and a busy machine can be many times
 * slower than an idle one.
 */
export async function eventually<Result>(
  attempt: () => Promise<Result> | Result,
  timeoutMs = 60_000,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(20);
    }
  }
}
