import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName } from '@event-api/contracts/messages/snapshot';
import { withTimeout } from '../../core/deadline.ts';
import { every } from '../../core/every.ts';
import type { Faults } from '../../core/faults.ts';
import type { Logger } from '../../core/log.ts';
import { faultTimeouts, streamTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import { runInTrace } from '../../telemetry/trace-scope.ts';
import type { Bus, StreamConnection } from '../bus/connect.ts';
import { recordWrite } from '../read-after/scope.ts';
import type { ReadAfterToken } from '../read-after/token.ts';
import type { OutboxRow } from './emit.ts';
import { createGroupPublisher, type PublishedRow } from './group-publisher.ts';
import { createOutboxQueries, type OutboxState } from './queries.ts';
import { relayOnce } from './relay.ts';

export interface Outbox {
  /** Publishes the rows of a transaction after its commit. Returns the token of the write, or null. */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfterToken | null>;
  state(): Promise<OutboxState>;
  /**
   * Publishes the remaining rows, for at most `timeoutMs` or until the bus is unavailable, and stops. It is
   * called after the last write.
   */
  close(timeoutMs: number): Promise<void>;
}

/** Publishes the rows that a transaction has emitted right after its commit. The transaction resolves after the attempt. */
export const publishOnCommit = (db: Database, { publish }: Pick<Outbox, 'publish'>): void =>
  db.onCommit(async (items) => recordWrite(await publish(items as readonly OutboxRow[])));

/** Publishes the outbox of a service: directly after each commit if possible, otherwise through the relay. */
export function createOutbox(options: {
  db: Database;
  bus: Bus;
  origin: Origin;
  schema: string;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  faults: Faults;
  log: Logger;
}): Outbox {
  const { db, bus, origin, spans, faults, log } = options;
  const queries = createOutboxQueries(options.schema);
  let pendingMarks: PublishedRow[] = [];
  let marking: Promise<void> | null = null;
  // The first step relays the rows that an earlier process left.
  let mayHavePending = true;
  let mustCheck = false;
  let deletedAt = Number.NEGATIVE_INFINITY;

  const publisher = createGroupPublisher({
    bus,
    origin,
    spans,
    timeoutMs: faults.isDisabled('bus.timeout')
      ? faultTimeouts.unhurriedMs
      : streamTimeouts.publishMs,
    onAck(published) {
      pendingMarks.push(...published);
      // It also serves requests that arrive in the meantime, so it belongs to no trace.
      marking ??= runInTrace(null, scheduleMarking);
    },
    onFailure: () => {
      mayHavePending = true;
    },
  });

  async function scheduleMarking(): Promise<void> {
    await delay(streamTimeouts.markDelayMs);
    const batch = pendingMarks;
    pendingMarks = [];
    marking = null;
    try {
      await queries.markPublished(db, batch);
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
    if (mustCheck) await checkStream(stream);
    // Other processes may have left rows, too, and may not come back.
    mayHavePending = await queries.hasUnpublished(db);
    const published = mayHavePending ? await relayBatch(stream, streamTimeouts.relayMinAgeMs) : 0;
    if (!publisher.isAvailable) {
      // Only a response of the bus proves that it is available again.
      if (published === 0) await stream.manager.streams.info(streamName);
      publisher.resume();
    }
    if (performance.now() - deletedAt < streamTimeouts.deleteIntervalMs) return;
    deletedAt = performance.now();
    await queries.deletePublished(db);
  }

  async function relayBatch(stream: StreamConnection, minAgeMs: number): Promise<number> {
    const published = await relayOnce({
      db,
      stream,
      origin,
      queries,
      spans,
      log,
      minAgeMs,
    });
    if (published > 0) log.info({ published }, 'relayed unpublished messages');
    return published;
  }

  async function checkStream(stream: StreamConnection): Promise<void> {
    mustCheck = false;
    try {
      // Pending marks would overwrite the new state.
      await marking;
      if (!(await queries.hasStreamLostMessages(db, stream))) return;
      const again = await queries.requeueRecent(db);
      log.warn({ again }, 'stream has lost messages; recent ones are published again');
    } catch (error) {
      mustCheck = true;
      throw error;
    }
  }

  async function publishRemaining(until: number): Promise<void> {
    const relayStopped = relay.stop();
    await marking;
    await relayStopped;
    while (performance.now() < until && bus.stream && (await queries.hasUnpublished(db))) {
      // Zero rows when another replica relays them.
      if ((await relayBatch(bus.stream, 0)) === 0) await delay(streamTimeouts.flushRetryIntervalMs);
    }
  }

  const relay = every(
    async () => {
      if (bus.stream) await relayStep(bus.stream);
    },
    {
      intervalMs: () =>
        mayHavePending || mustCheck || !publisher.isAvailable
          ? streamTimeouts.relayBusyIntervalMs
          : streamTimeouts.relayIdleIntervalMs,
      async onError(error) {
        mayHavePending = true;
        log.warn({ err: error }, 'failed to relay messages, will retry');
        await bus.checkStream();
      },
    },
  );
  bus.onConnect(() => {
    mustCheck = true;
    publisher.resume();
    relay.wake();
  });

  return {
    async publish(rows) {
      await faults.hit('outbox.committed');
      return publisher.publish(rows);
    },
    state: () => queries.readState(db),
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
