import { readChanges } from '@event-api/contracts/internal/changes';
import type { Owner } from '@event-api/contracts/operation';
import { every } from '../core/every.ts';
import type { Logger } from '../core/log.ts';
import { reportRepeated } from '../core/repeated-failures.ts';
import { changeTimeouts } from '../core/timeouts.ts';
import type { Database } from '../db/database.ts';
import type { ChangeLogReader } from '../messaging/changes/change-log.ts';
import type { HttpServer } from './server.ts';

/**
 * The route with which the change feed reads the log of a service. Until `app` closes, changes
 * beyond the retention are deleted.
 */
export function changeRoute(
  app: HttpServer,
  options: { owner: Owner; db: Database; changeLog: ChangeLogReader; log: Logger },
): void {
  const { owner, db, changeLog, log } = options;
  const operation = readChanges(owner);
  app.route({
    ...operation,
    config: { ...operation.config, skipReadAfter: true },
    handler: async ({ body }) => changeLog.read(db, body),
  });

  const cleanups = every(() => changeLog.deleteOld(db), {
    intervalMs: changeTimeouts.logCleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete old changes, will retry'),
    ),
  });
  app.addHook('onClose', cleanups.stop);
}
