import { runAsJob } from '@event-api/platform/core/actor';
import { every, type Loop } from '@event-api/platform/core/every';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import { captureWrites } from '@event-api/platform/messaging/read-after/scope';
import { timeouts } from '../timeouts.ts';
import { beginCancellations, claimCancellations } from './cancellations.queries.ts';
import { type CancellationDeps, continueCancellation } from './continue.ts';

/** Events that one replica cancels at the same time. */
const maxEvents = 4;

/**
 * Cancels what the cancelled events have, in every replica. An event is continued by one replica at
 * a time, and by another one when that ends. The failure of one leaves the others.
 */
export function startCancellations(deps: CancellationDeps, intervalMs: number): Loop {
  const onError = reportRepeated((error, suppressed) =>
    deps.log.warn({ err: error, suppressed }, 'failed to cancel events, will retry'),
  );
  return every(
    (signal) =>
      runAsJob('cancel-event', async () => {
        await beginCancellations(deps.db);
        while (!signal.aborted) {
          const claimed = await claimCancellations(
            deps.db,
            maxEvents,
            timeouts.cancellationLeaseMs,
          );
          if (claimed.length === 0) return;
          await Promise.all(
            claimed.map((each) =>
              captureWrites(() => continueCancellation(deps, each)).catch(onError),
            ),
          );
        }
      }),
    { intervalMs, onError },
  );
}
