import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName } from '@event-api/contracts/messages/snapshot';
import { createWaiter } from '../../core/every.ts';
import type { Faults } from '../../core/faults.ts';
import type { Logger } from '../../core/log.ts';
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
  /** What a transaction has emitted goes out; called by the database after each commit. */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfterToken | null>;
  state(): Promise<OutboxState>;
  /**
   * Publishes what is left, the newest too, for `withinMs` at most or until the bus is away, and
   * stops. Called when nobody writes any more.
   */
  close(timeoutMs: number): Promise<void>;
}

const publishTimeoutMs = 250;
/** For tests of what is seen, not of how soon: on a machine that is busy with others nobody is cut off. */
const testPublishTimeoutMs = 10_000;
const markIntervalMs = 50;
const busyIntervalMs = 300;
const idleIntervalMs = 1000;
const minAgeMs = 1000;
const deleteIntervalMs = 10 * 60_000;

/** Publishes the rows that a transaction has emitted right after its commit. The transaction resolves after the attempt. */
export const publishOnCommit = (db: Database, { publish }: Pick<Outbox, 'publish'>): void =>
  db.onCommit(async (items) => recordWrite(await publish(items as readonly OutboxRow[])));

/** Takes what a service has promised to the bus, at once where it can and through the relay where it cannot. */
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
  const waiter = createWaiter();
  let pendingMarks: PublishedRow[] = [];
  let marking: Promise<void> | null = null;
  let relaying = true;
  // Whatever an earlier process has left behind is looked for first.
  let mayHavePending = true;
  let mustCheck = false;
  let deletedAt = Number.NEGATIVE_INFINITY;

  const publisher = createGroupPublisher({
    bus,
    origin,
    spans,
    timeoutMs: faults.isDisabled('bus.hurry') ? testPublishTimeoutMs : publishTimeoutMs,
    onAck(published) {
      pendingMarks.push(...published);
      // For whoever comes in the meantime, too: it belongs to none of them.
      marking ??= runInTrace(null, scheduleMarking);
    },
    onFailure: () => {
      mayHavePending = true;
    },
  });

  async function scheduleMarking(): Promise<void> {
    await delay(markIntervalMs);
    const batch = pendingMarks;
    pendingMarks = [];
    marking = null;
    try {
      await queries.markPublished(db, batch);
    } catch (error) {
      // They stay unpublished to the relay, which sends them again: harmless, since versions decide.
      mayHavePending = true;
      log.warn({ err: error }, 'published messages could not be marked');
    }
  }

  async function relay(): Promise<void> {
    while (relaying) {
      await waiter.wait(
        mayHavePending || mustCheck || !publisher.isAvailable ? busyIntervalMs : idleIntervalMs,
      );
      const { stream } = bus;
      if (!stream || !relaying) continue;
      try {
        await relayStep(stream);
      } catch (error) {
        mayHavePending = true;
        if (relaying) log.warn({ err: error }, 'relay failed');
        await bus.checkStream();
      }
    }
  }

  async function relayStep(stream: StreamConnection): Promise<void> {
    if (mustCheck) await checkStream(stream);
    // Other processes may have left something, too, and may be gone for good.
    mayHavePending = await queries.hasUnpublished(db);
    const published = mayHavePending ? await relayBatch(stream, minAgeMs) : 0;
    if (!publisher.isAvailable) {
      // Only what the bus has answered shows that it is well again.
      if (published === 0) await stream.manager.streams.info(streamName);
      publisher.resume();
    }
    if (performance.now() - deletedAt < deleteIntervalMs) return;
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
    if (published > 0) log.info({ published }, 'relayed what was left');
    return published;
  }

  async function checkStream(stream: StreamConnection): Promise<void> {
    mustCheck = false;
    try {
      // What is acknowledged and not marked yet would be marked over the new state.
      await marking;
      if (!(await queries.hasStreamLostMessages(db, stream))) return;
      const again = await queries.requeueRecent(db);
      log.warn({ again }, 'the stream has lost messages; recent ones are sent again');
    } catch (error) {
      mustCheck = true;
      throw error;
    }
  }

  async function publishRemaining(until: number): Promise<void> {
    await marking;
    await running;
    while (performance.now() < until && bus.stream && (await queries.hasUnpublished(db))) {
      // None, when another replica is at it.
      if ((await relayBatch(bus.stream, 0)) === 0) await delay(20);
    }
  }

  bus.onConnect(() => {
    mustCheck = true;
    publisher.resume();
    waiter.wake();
  });
  const running = relay();

  return {
    async publish(rows) {
      await faults.hit('outbox.committed');
      return publisher.publish(rows);
    },
    state: () => queries.readState(db),
    async close(timeoutMs) {
      relaying = false;
      waiter.wake();
      const rest = publishRemaining(performance.now() + timeoutMs);
      const late = delay(timeoutMs, null, { ref: false });
      await Promise.race([rest, late]).catch((error) =>
        log.warn({ err: error }, 'what is left unpublished has to wait for the next start'),
      );
    },
  };
}
