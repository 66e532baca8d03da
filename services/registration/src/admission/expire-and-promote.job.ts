import type { EventScope } from '@event-api/contracts/internal/scope';
import { runAsJob } from '@event-api/platform/core/actor';
import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { findDueEvents } from './expire-and-promote.ts';
import type { Admission } from './queue.ts';

/**
 * Expires and promotes every `intervalMs` in events where this is due. Reads and batches do so for
 * their own event; the job covers events without requests.
 */
export function startExpireAndPromoteJob(options: {
  db: Db;
  admission: Admission;
  log: Logger;
  intervalMs: number;
}): Loop {
  const { db, admission, log, intervalMs } = options;
  const logFailure = reportRepeated((error, suppressed) =>
    log.warn({ err: error, suppressed }, 'expire-and-promote failed'),
  );

  const expireAndPromote = async (scope: EventScope): Promise<void> => {
    await admission.submit<'promote'>(scope, { kind: 'promote' }).catch(logFailure);
  };

  return every(
    // Concurrently: a blocked event does not delay the others.
    () =>
      runAsJob('waitlist', async () => {
        await Promise.all((await findDueEvents(db)).map(expireAndPromote));
      }),
    { intervalMs, onError: logFailure },
  );
}
