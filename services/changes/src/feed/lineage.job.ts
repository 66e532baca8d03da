import { readLineage } from '@event-api/contracts/internal/lineage';
import { type PublisherName, publisherNames } from '@event-api/contracts/topology';
import { runAsJob } from '@event-api/platform/core/actor';
import { every, type Loop } from '@event-api/platform/core/every';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { FeedDeps } from '../deps.ts';
import { timeouts } from '../timeouts.ts';
import { notifyUnits } from './notify-units.ts';
import { followLineage } from './sequence.ts';

/**
 * Compares the lineages of the publishers' databases with those that this service has stored, at
 * the start, after each lost connection to the database, and once a minute. A publisher that was
 * restored replaces its lineage, and so does the operator command `restore.completed`. Clients may
 * have read records that are gone and that the feed never reported, so all feeds begin a new epoch.
 */
export function startLineageWatch(deps: FeedDeps): Loop {
  let isCompared = false;
  const compareAll = async () => {
    isCompared = false;
    for (const owner of publisherNames) await compareLineage(deps, owner);
    isCompared = true;
  };
  const loop = every(() => runAsJob('lineage-watch', compareAll), {
    intervalMs: () => (isCompared ? timeouts.lineageIntervalMs : timeouts.retryPauseMs),
    immediately: true,
    onError: reportRepeated((error, suppressed) =>
      deps.log.warn({ err: error, suppressed }, 'failed to compare the lineages of the services'),
    ),
  });
  deps.db.onConnectionLost(() => loop.wake());
  return loop;
}

/** Compares the lineage of one publisher. Errors: the publisher or the database is unavailable. */
export async function compareLineage(
  { db, bus, log, owners }: FeedDeps,
  owner: PublisherName,
): Promise<void> {
  const { lineage } = await owners[owner].call(readLineage(owner), {});
  const units = await followLineage(db, owner, lineage);
  if (units.length === 0) return;
  log.warn(
    { owner, units: units.length },
    'the database of a service was put back: all feeds begin a new epoch',
  );
  notifyUnits(bus, units);
}
