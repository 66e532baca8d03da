import { every, type Loop } from '../core/every.ts';
import { databaseTimeouts } from '../core/timeouts.ts';
import type { DependencyStatus } from '../telemetry/dependencies.ts';
import type { Database } from './database.ts';
import { isPoolExhausted } from './errors.ts';

/**
 * Reports every few seconds whether the database responds. Requests that wait for a connection say
 * nothing about it.
 */
export function watchDatabase(db: Pick<Database, 'ping'>, dependency: DependencyStatus): Loop {
  return every(
    async () => {
      await db.ping();
      dependency.up();
    },
    {
      intervalMs: databaseTimeouts.checkIntervalMs,
      immediately: true,
      onError(error) {
        if (!isPoolExhausted(error)) dependency.down(error);
      },
    },
  );
}
