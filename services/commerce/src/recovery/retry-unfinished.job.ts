import { createWaiter } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { captureWrites } from '@event-api/platform/messaging/read-after/scope';
import { type RetryDeps, retryUnfinished } from './retry-unfinished.ts';

export interface RetryJob {
  /** Runs the next turn immediately. */
  wake(): void;
  stop(): Promise<void>;
}

/** Retries unfinished steps every `intervalMs`, and immediately after `wake`. */
export function startRetryJob(
  deps: RetryDeps & { log: Logger },
  options: { intervalMs: number; minIdleMs: number },
): RetryJob {
  const waiter = createWaiter();
  let stopped = false;
  let woken = false;

  async function run(): Promise<void> {
    while (!stopped) {
      if (!woken) await waiter.wait(options.intervalMs);
      if (stopped) return;
      woken = false;
      // Outside a request there is no read-after scope. Orders store the captured token for their
      // readers.
      const { result } = await captureWrites(() => retryUnfinished(deps, options.minIdleMs));
      for (const { error: reason, ...step } of result.failed) {
        deps.log.warn({ ...step, reason }, 'failed to finish a step, will retry');
      }
    }
  }

  const running = run();
  return {
    wake() {
      woken = true;
      waiter.wake();
    },
    async stop() {
      stopped = true;
      waiter.wake();
      await running;
    },
  };
}
