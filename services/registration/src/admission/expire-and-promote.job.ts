import { setTimeout as delay } from 'node:timers/promises';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import { findDueEvents } from './expire-and-promote.ts';
import type { Admission } from './queue.ts';

/** Every second: settles events that nobody asks about. Reads and batches settle their own event by themselves. */
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

  // Side by side: an event that is stuck holds up no other.
  async function expireAndPromoteAll(events: readonly EventScope[]): Promise<void> {
    await Promise.all(
      events.map((scope) =>
        admission.submit<'settle'>(scope, { kind: 'settle' }).catch(logFailure),
      ),
    );
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'settling failed');

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
