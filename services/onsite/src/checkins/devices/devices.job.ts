import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { timeouts } from '../../timeouts.ts';
import { deleteUnseenDevices, storeSightings } from './devices.queries.ts';
import type { Sightings } from './sightings.ts';

interface JobDeps {
  db: Db;
  log: Pick<Logger, 'warn'>;
  sightings: Pick<Sightings, 'take'>;
}

/**
 * The job that stores when devices were seen, every five seconds by default. Without devices it
 * does nothing. A failed turn loses its sightings.
 */
export const startSightingWrites = (
  { db, log, sightings }: JobDeps,
  intervalMs = timeouts.sightingIntervalMs,
): Loop =>
  every(
    async () => {
      const taken = sightings.take();
      if (taken.length > 0) await storeSightings(db, taken);
    },
    {
      intervalMs,
      onError: reportRepeated((error, suppressed) =>
        log.warn({ err: error, suppressed }, 'failed to store when devices were seen'),
      ),
    },
  );

/**
 * The job that deletes devices that were not seen for long. A failure is logged; the next turn
 * tries again.
 */
export const startDeviceCleanup = ({ db, log }: Omit<JobDeps, 'sightings'>): Loop =>
  every(() => deleteUnseenDevices(db, timeouts.deviceRetentionMs), {
    intervalMs: timeouts.scanCleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete devices, will retry'),
    ),
  });
