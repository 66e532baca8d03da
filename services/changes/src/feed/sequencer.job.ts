import { readChanges } from '@event-api/contracts/internal/changes';
import { changeNoticeSubject } from '@event-api/contracts/messages/changes';
import { type ChangeOwner, changeOwners } from '@event-api/contracts/topology';
import { runAsJob } from '@event-api/platform/core/actor';
import { every } from '@event-api/platform/core/every';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Job } from '@event-api/platform/service/run-service';
import type { FeedDeps } from '../deps.ts';
import { timeouts } from '../timeouts.ts';
import { readOwnerCursor } from './feed.queries.ts';
import { notifyUnits } from './notify-units.ts';
import { addToFeed, rewindOwner } from './sequence.ts';

const pageRows = 500;

/** The operation of each owner. A schema is expensive to build. */
const operations = Object.fromEntries(
  changeOwners.map((owner) => [owner, readChanges(owner)]),
) as Record<ChangeOwner, ReturnType<typeof readChanges>>;

/** Copies the logs of all owners into the feed: after each notice of an owner, and once a second. */
export function startSequencers(deps: FeedDeps): Job[] {
  const { bus, log } = deps;
  const loops = changeOwners.map((owner) => {
    const loop = every((signal) => runAsJob('sequencer', () => copyLog(deps, owner, signal)), {
      intervalMs: timeouts.pollIntervalMs,
      immediately: true,
      onError: reportRepeated((error, suppressed) =>
        log.warn({ err: error, owner, suppressed }, 'failed to read the changes of a service'),
      ),
    });
    bus.onNotification(changeNoticeSubject(owner), loop.wake);
    // Notices that were sent while this process was not connected are lost.
    bus.onConnect(loop.wake);
    return loop;
  });
  return loops;
}

/**
 * Copies the log of an owner up to its present end. Errors: the owner or the database is
 * unavailable.
 */
export async function copyLog(
  { db, bus, log, owners, feedMetrics }: FeedDeps,
  owner: ChangeOwner,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const after = await readOwnerCursor(db, owner);
    const page = await owners[owner].call(operations[owner], { after, limit: pageRows });
    if ('rewoundTo' in page) {
      const units = await rewindOwner(db, owner, { after, last: page.rewoundTo });
      log.error(
        { alarm: 'changes_lost', owner, after, last: page.rewoundTo, units: units.length },
        'a service has lost changes that the feed contains: the feeds begin a new epoch',
      );
      notifyUnits(bus, units);
      continue;
    }
    const units = await addToFeed(db, owner, after, page.changes);
    notifyUnits(bus, units);
    if (units.length > 0) feedMetrics.added(page.changes);
    if (page.changes.length < pageRows) return feedMetrics.isCurrent(owner);
  }
}
