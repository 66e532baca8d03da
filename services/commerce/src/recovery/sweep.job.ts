import { runAsJob } from '@event-api/platform/core/actor';
import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import { captureWrites } from '@event-api/platform/messaging/read-after/scope';
import type { Checks } from '../checkout/find-undeliverable.ts';
import { type SweepDeps, sweepUnfinished } from './sweep.ts';

/** Repeats unfinished steps every `intervalMs`. */
export const startSweep = (
  deps: SweepDeps & { log: Logger },
  { intervalMs, minIdleMs }: { intervalMs: number; minIdleMs: number },
): Loop => {
  const { log } = deps;
  const checks: Checks = new Map();
  // Without the database no step is found, several times a second.
  const reportUnread = reportRepeated((failure, suppressed) =>
    log.warn({ ...(failure as object), suppressed }, 'failed to read unfinished steps, will retry'),
  );
  return every(
    () =>
      runAsJob('sweep-unfinished', async () => {
        // Outside a request there is no read-after scope. Orders store the captured token for their
        // readers.
        const { result } = await captureWrites(() =>
          sweepUnfinished(deps, minIdleMs, null, checks),
        );
        for (const { error: reason, ...step } of result.failed) {
          if (step.id === '') reportUnread({ step: step.step, reason });
          else log.warn({ ...step, reason }, 'failed to finish a step, will retry');
        }
      }),
    {
      intervalMs,
      onError: reportRepeated((error, suppressed) =>
        log.warn({ err: error, suppressed }, 'failed to sweep unfinished steps, will retry'),
      ),
    },
  );
};
