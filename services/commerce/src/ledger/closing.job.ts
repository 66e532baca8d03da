import { runAsJob } from '@event-api/platform/core/actor';
import type { Clock } from '@event-api/platform/core/clock';
import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import { timeouts } from '../timeouts.ts';
import { type ClosingDeps, closeDays } from './close-days.ts';

/** Closes the days of the journal that have ended, in every replica. */
export const startClosing = (deps: ClosingDeps & { log: Logger; clock: Clock }): Loop =>
  every(
    (signal) =>
      runAsJob('close-journal', async () => {
        for (const day of await closeDays(deps, deps.clock.now(), signal)) {
          deps.log.info({ day }, 'journal day closed');
        }
      }),
    {
      intervalMs: timeouts.journalIntervalMs,
      immediately: true,
      onError: reportRepeated((error, suppressed) =>
        deps.log.warn({ err: error, suppressed }, 'failed to close the journal, will retry'),
      ),
    },
  );
