import { readChanges } from '@event-api/contracts/internal/changes';
import { changeNoticeSubject, feedNoticeSubject } from '@event-api/contracts/messages/changes';
import { type ChangeOwner, changeOwners } from '@event-api/contracts/topology';
import { runAsJob } from '@event-api/platform/core/actor';
import { every } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Database } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { Bus } from '@event-api/platform/messaging/bus/connect';
import type { Job } from '@event-api/platform/service/run-service';
import { timeouts } from '../timeouts.ts';
import { readOwnerCursor } from './queries.ts';
import { addToFeed, rewindOwner } from './sequence.ts';

const pageRows = 500;

export interface SequencerDeps {
  db: Database;
  bus: Pick<Bus, 'notify' | 'onNotification'>;
  log: Pick<Logger, 'warn' | 'error'>;
  owners: Record<ChangeOwner, ServiceClient>;
}

/** Copies the logs of all owners into the feed: after each notice of an owner, and once a second. */
export function startSequencers(deps: SequencerDeps): Job[] {
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
    return loop;
  });
  return loops;
}

/** Copies the log of an owner up to its present end. Errors: the owner or the database is unavailable. */
export async function copyLog(
  { db, bus, log, owners }: SequencerDeps,
  owner: ChangeOwner,
  signal: AbortSignal,
): Promise<void> {
  const operation = readChanges(owner);
  while (!signal.aborted) {
    const after = await readOwnerCursor(db, owner);
    const page = await owners[owner].call(operation, { after, limit: pageRows });
    if ('rewoundTo' in page) {
      const units = await rewindOwner(db, owner, { after, last: page.rewoundTo });
      log.error(
        { owner, after, last: page.rewoundTo, units: units.length },
        'a service has lost changes that the feed contains: the feeds begin a new epoch',
      );
      notifyUnits(bus, units);
      continue;
    }
    notifyUnits(bus, await addToFeed(db, owner, after, page.changes));
    if (page.changes.length < pageRows) return;
  }
}

/** Announces new changes to the processes in which requests wait, this one included. */
function notifyUnits(bus: Pick<Bus, 'notify'>, units: readonly string[]): void {
  for (const unit of units) bus.notify(feedNoticeSubject(unit));
}
