import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName } from '@event-api/contracts/messages/snapshot';
import { withTimeout } from '../../core/deadline.ts';
import { every } from '../../core/every.ts';
import type { Logger } from '../../core/log.ts';
import { reportRepeated } from '../../core/repeated-failures.ts';
import { reachStep } from '../../core/steps.ts';
import { streamTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import { runInTrace } from '../../telemetry/trace-scope.ts';
import type { Bus, StreamConnection } from '../bus/connect.ts';
import type { ChangeNotices } from '../changes/notices.ts';
import { changesWritten } from '../changes/write.ts';
import { recordWrite } from '../read-after/scope.ts';
import type { ReadAfterToken } from '../read-after/token.ts';
import type { OutboxRow } from './emit.ts';
import { createGroupPublisher, type PublishedRow } from './group-publisher.ts';
import { createLineage } from './lineage.ts';
import { createOutboxQueries, type OutboxState } from './outbox.queries.ts';
import { relayOnce } from './relay.ts';
import type { Lineages, StreamStateRow } from './rewind.ts';

export interface Outbox {
  /**
   * Publishes the rows of a transaction after its commit. Returns the token of the write, or null.
   */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfterToken | null>;
  state(): Promise<OutboxState>;
  /**
   * The lineage of the database and the one before it, checked after this call. A database that was
   * put back to an earlier state has got another one by then. Errors: when the bus or the database
   * is unavailable.
   */
  lineages(): Promise<Lineages>;
  /**
   * Replaces the lineage, so that all readers rebuild their projections. Returns the new one.
   * Errors: as above.
   */
  renewLineage(): Promise<string>;
  /** Resolves when the first check of the lineage has succeeded, or after two seconds. */
  started: Promise<void>;
  /**
   * Publishes the remaining rows, for at most `timeoutMs` or until the bus is unavailable, and
   * stops. It is called after the last write.
   */
  close(timeoutMs: number): Promise<void>;
}

/**
 * After each commit publishes the rows that the transaction has emitted, and announces its changes.
 * The transaction resolves after the attempt.
 */
export const publishOnCommit = (
  db: Database,
  outbox: Pick<Outbox, 'publish'> | null,
  changeNotices: Pick<ChangeNotices, 'send'> | null = null,
): void =>
  db.onCommit(async (items) => {
    if (items.includes(changesWritten)) changeNotices?.send();
    const rows = items.filter((item) => item !== changesWritten) as OutboxRow[];
    if (outbox && rows.length > 0) recordWrite(await outbox.publish(rows));
  });

/**
 * Publishes the outbox of a service: directly after each commit if possible, otherwise through the
 * relay.
 */
export function createOutbox(options: {
  db: Database;
  bus: Bus;
  origin: Origin;
  schema: string;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  /** Called when this process has found the database put back to an earlier state. */
  onRewound?: () => void;
  /** Called when a check has found messages of another database in the stream. */
  onShared?: (lineages: readonly string[]) => void;
  log: Logger;
}): Outbox {
  const { db, bus, origin, spans, log } = options;
  const queries = createOutboxQueries(options.schema);
  let pendingMarks: PublishedRow[] = [];
  let isMarkingScheduled = false;
  /** Resolves when all marks that were scheduled so far are written. */
  let marksWritten = Promise.resolve();
  // The first step relays the rows that an earlier process left.
  let mayHavePending = true;
  /**
   * Whether a request has waited for the check of the lineage in vain. The following ones do not
   * wait.
   */
  let checkIsSlow = false;
  let deletedAt = Number.NEGATIVE_INFINITY;
  let markStarted = () => {};
  const firstCheck = new Promise<void>((resolve) => {
    markStarted = resolve;
  });

  const publishMs = streamTimeouts.publishMs;
  const publisher = createGroupPublisher({
    bus,
    origin,
    lineages: () => lineage.verified,
    spans,
    timeoutMs: publishMs,
    onAck(published) {
      pendingMarks.push(...published);
      // It also serves requests that arrive in the meantime, so it belongs to no trace.
      if (!isMarkingScheduled) startMarking();
    },
    onFailure: () => {
      mayHavePending = true;
    },
  });

  const lineage = createLineage({
    db,
    bus,
    origin,
    schema: options.schema,
    outboxQueries: queries,
    marksWritten: () => marksWritten,
    publishMarker: (marker) => void publisher.publish([marker]),
    onRewound: options.onRewound ?? (() => {}),
    onShared: options.onShared ?? (() => {}),
    log,
  });

  /** Earlier marks may still be being written when the next ones are collected. */
  function startMarking(): void {
    isMarkingScheduled = true;
    const earlier = marksWritten;
    marksWritten = runInTrace(null, markPending).then(() => earlier);
  }

  async function markPending(): Promise<void> {
    await delay(streamTimeouts.markDelayMs);
    const batch = pendingMarks;
    pendingMarks = [];
    isMarkingScheduled = false;
    try {
      reachStep('outbox.marking');
      lineage.noteMarked(await queries.markPublished(db, batch, lineage.verified), batch);
    } catch (error) {
      // The relay publishes them again. This is harmless, because versions decide.
      mayHavePending = true;
      log.warn(
        { err: error },
        'failed to mark published messages, the relay will publish them again',
      );
    }
  }

  async function relayStep(stream: StreamConnection): Promise<void> {
    const verified = await (lineage.isDue ? lineage.verify() : lineage.ensure());
    checkIsSlow = false;
    markStarted();
    // Other processes may have left rows, too, and may not come back.
    mayHavePending = await queries.hasUnpublished(db);
    const published = mayHavePending
      ? await relayBatch(stream, verified, streamTimeouts.relayMinAgeMs)
      : 0;
    if (!publisher.isAvailable) {
      // Only a response of the bus proves that it is available again.
      if (published === 0) await stream.manager.streams.info(streamName);
      publisher.resume();
    }
    if (performance.now() - deletedAt < streamTimeouts.deleteIntervalMs) return;
    deletedAt = performance.now();
    await queries.deletePublished(db);
  }

  async function relayBatch(
    stream: StreamConnection,
    verified: StreamStateRow,
    minAgeMs: number,
  ): Promise<number> {
    const { published, marked } = await relayOnce({
      db,
      stream,
      origin,
      queries,
      verified,
      spans,
      log,
      minAgeMs,
    });
    if (marked) lineage.noteMarked(marked, published);
    if (published.length > 0)
      log.info({ published: published.length }, 'relayed unpublished messages');
    return published.length;
  }

  /**
   * Whether the lineage is verified; a request waits for a check at most as long as for the bus.
   */
  async function isVerified(): Promise<boolean> {
    if (lineage.verified || !bus.stream || checkIsSlow) return lineage.verified !== null;
    const checked = withTimeout(lineage.ensure(), publishMs);
    checkIsSlow = (await checked.catch(() => null))?.outcome !== 'done';
    return !checkIsSlow;
  }

  async function publishRemaining(until: number): Promise<void> {
    const relayStopped = relay.stop();
    await marksWritten;
    await relayStopped;
    while (performance.now() < until && bus.stream && (await queries.hasUnpublished(db))) {
      // Zero rows when another replica relays them.
      const verified = await lineage.ensure();
      if ((await relayBatch(bus.stream, verified, 0)) === 0)
        await delay(streamTimeouts.flushRetryIntervalMs);
    }
  }

  const reportFailure = reportRepeated((error, suppressed) =>
    log.warn({ err: error, suppressed }, 'failed to relay messages, will retry'),
  );
  const isBusy = () => mayHavePending || !lineage.verified || !publisher.isAvailable;
  const relay = every(
    async () => {
      if (bus.stream) await relayStep(bus.stream);
    },
    {
      intervalMs: () =>
        isBusy() ? streamTimeouts.relayBusyIntervalMs : streamTimeouts.relayIdleIntervalMs,
      async onError(error) {
        mayHavePending = true;
        reportFailure(error);
        await bus.checkStream();
      },
    },
  );
  bus.onConnect(() => {
    lineage.invalidate();
    publisher.resume();
    relay.wake();
  });
  db.onConnectionLost(() => {
    lineage.invalidate();
    mayHavePending = true;
    relay.wake();
  });

  return {
    async publish(rows) {
      reachStep('outbox.committed');
      if (await isVerified()) return publisher.publish(rows);
      mayHavePending = true;
      return null;
    },
    state: () => queries.readState(db),
    lineages: () => lineage.verify(),
    renewLineage: async () => (await lineage.renew()).lineage,
    started: withTimeout(firstCheck, streamTimeouts.lineageStartMs).then(() => {}),
    async close(timeoutMs) {
      const rest = publishRemaining(performance.now() + timeoutMs);
      await withTimeout(rest, timeoutMs).catch((error) =>
        log.warn(
          { err: error },
          'outbox not empty at shutdown; remaining messages are published after the next start',
        ),
      );
    },
  };
}
