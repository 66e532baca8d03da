import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats `attempt` until it does not throw. After `withinMs` it throws the last error. The default is long: it only costs
 * time when a test fails, and a busy machine can take many times longer than an idle one.
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
