import type { Logger } from '@event-api/platform/log';
import { createPause } from '@event-api/platform/pause';
import { collectWritten } from '@event-api/platform/read-after/scope';
import { type RepeatDeps, repeatSteps } from './repeat.ts';

export interface RepeatJob {
  /** Something has come that need not wait for the next turn. */
  wake(): void;
  stop(): Promise<void>;
}

/** Repeats, again and again, what was left half-way; at once when it is woken. */
export function startRepeatJob(
  deps: RepeatDeps & { log: Logger },
  options: { everyMs: number; idleMs: number },
): RepeatJob {
  const pause = createPause();
  let stopped = false;
  let woken = false;

  async function run(): Promise<void> {
    while (!stopped) {
      if (!woken) await pause.lasting(options.everyMs);
      if (stopped) return;
      woken = false;
      // Outside a request nobody else notes what is written, and orders keep it for their readers.
      const { result } = await collectWritten(() => repeatSteps(deps, options.idleMs));
      for (const { error: reason, ...step } of result.failed) {
        deps.log.warn({ ...step, reason }, 'failed to finish a step, will retry');
      }
    }
  }

  const running = run();
  return {
    wake() {
      woken = true;
      pause.end();
    },
    async stop() {
      stopped = true;
      pause.end();
      await running;
    },
  };
}
