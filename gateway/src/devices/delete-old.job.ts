import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { timeouts } from '../timeouts.ts';
import { deleteOldDevices } from './devices.queries.ts';

/** Deletes the credentials of devices that have expired long ago. */
export const startDeletingOldDevices = ({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Loop =>
  every(async () => void (await deleteOldDevices(db)), {
    intervalMs: timeouts.deviceCleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete expired devices, will retry'),
    ),
  });
