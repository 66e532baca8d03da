import { setTimeout as delay } from 'node:timers/promises';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Logger } from '@event-api/platform/core/log';
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
}): { stop: () => Promise<void> } {
  const { db, admission, log } = options;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(options.intervalMs, null, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      await findDueEvents(db).then(expireAndPromoteAll).catch(logFailure);
    }
  }

  // Concurrently: a blocked event does not delay the others.
  async function expireAndPromoteAll(events: readonly EventScope[]): Promise<void> {
    await Promise.all(
      events.map((scope) =>
        admission.submit<'promote'>(scope, { kind: 'promote' }).catch(logFailure),
      ),
    );
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'expire-and-promote failed');

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
