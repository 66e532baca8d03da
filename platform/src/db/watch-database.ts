import { every, type Loop } from '../core/every.ts';
import { activityTimeouts, databaseTimeouts } from '../core/timeouts.ts';
import type { DependencyStatus } from '../telemetry/dependencies.ts';
import type { Database } from './database.ts';
import { isPoolExhausted } from './errors.ts';

/**
 * Reports every few seconds, every half minute in a quiet process, whether the database responds.
 * Requests that wait for a connection say nothing about it.
 */
export function watchDatabase(db: Pick<Database, 'ping'>, dependency: DependencyStatus): Loop {
  let isUp = false;
  return every(
    async () => {
      await db.ping();
      isUp = true;
      dependency.up();
    },
    {
      intervalMs: databaseTimeouts.checkIntervalMs,
      // An outage ends as soon as the database responds.
      quietIntervalMs: () => (isUp ? activityTimeouts.checkIntervalMs : 0),
      immediately: true,
      onError(error) {
        isUp = false;
        if (!isPoolExhausted(error)) dependency.down(error);
      },
    },
  );
}
