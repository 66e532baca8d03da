import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName } from '@event-api/contracts/messages/snapshot';
import type { Bus, Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import type { Faults } from '../faults.ts';
import type { Logger } from '../log.ts';
import { createPause } from '../pause.ts';
import type { ReadAfter } from '../read-after/token.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import { runInTrace } from '../telemetry/trace-scope.ts';
import type { OutboxRow } from './emit.ts';
import { type Acknowledged, createGroupFlush } from './flush.ts';
import { createOutboxQueries, type OutboxState } from './queries.ts';
import { relayOnce } from './relay.ts';

export interface Outbox {
  /** What a transaction has emitted goes out; called by the database after each commit. */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfter | null>;
  state(): Promise<OutboxState>;
  /**
   * Publishes what is left, the newest too, for `withinMs` at most or until the bus is away, and
   * stops. Called when nobody writes any more.
   */
  close(withinMs: number): Promise<void>;
}

const budgetMs = 250;
/** For tests of what is seen, not of how soon: on a machine that is busy with others nobody is cut off. */
const patientMs = 10_000;
const markEveryMs = 50;
const busyMs = 300;
const idleMs = 1000;
const graceMs = 1000;
const pruneEveryMs = 10 * 60_000;

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
  const pause = createPause();
  let marks: Acknowledged[] = [];
  let marking: Promise<void> | null = null;
  let relaying = true;
  // Whatever an earlier process has left behind is looked for first.
  let mayHaveLeft = true;
  let mustCheck = false;
  let prunedAt = Number.NEGATIVE_INFINITY;

  const flush = createGroupFlush({
    bus,
    origin,
    spans,
    budgetMs: faults.guardIsOff('bus.hurry') ? patientMs : budgetMs,
    onAcknowledged(acknowledged) {
      marks.push(...acknowledged);
      // For whoever comes in the meantime, too: it belongs to none of them.
      marking ??= runInTrace(null, markSoon);
    },
    onFailure: () => {
      mayHaveLeft = true;
    },
  });

  async function markSoon(): Promise<void> {
    await delay(markEveryMs);
    const batch = marks;
    marks = [];
    marking = null;
    try {
      await queries.markPublished(db, batch);
    } catch (error) {
      // They stay unpublished to the relay, which sends them again: harmless, since versions decide.
      mayHaveLeft = true;
      log.warn({ err: error }, 'published messages could not be marked');
    }
  }

  async function relay(): Promise<void> {
    while (relaying) {
      await pause.lasting(mayHaveLeft || mustCheck || !flush.isOpen ? busyMs : idleMs);
      const { stream } = bus;
      if (!stream || !relaying) continue;
      try {
        await lookAfter(stream);
      } catch (error) {
        mayHaveLeft = true;
        if (relaying) log.warn({ err: error }, 'relay failed');
        await bus.check();
      }
    }
  }

  async function lookAfter(stream: Stream): Promise<void> {
    if (mustCheck) await checkStream(stream);
    // Other processes may have left something, too, and may be gone for good.
    mayHaveLeft = await queries.isAnythingLeft(db);
    const published = mayHaveLeft ? await relayRows(stream, graceMs) : 0;
    if (!flush.isOpen) {
      // Only what the bus has answered shows that it is well again.
      if (published === 0) await stream.manager.streams.info(streamName);
      flush.reopen();
    }
    if (performance.now() - prunedAt < pruneEveryMs) return;
    prunedAt = performance.now();
    await queries.prune(db);
  }

  async function relayRows(stream: Stream, olderThanMs: number): Promise<number> {
    const published = await relayOnce({
      db,
      stream,
      origin,
      queries,
      spans,
      log,
      graceMs: olderThanMs,
    });
    if (published > 0) log.info({ published }, 'relayed what was left');
    return published;
  }

  async function checkStream(stream: Stream): Promise<void> {
    mustCheck = false;
    try {
      // What is acknowledged and not marked yet would be marked over the new state.
      await marking;
      if (!(await queries.hasStreamLost(db, stream))) return;
      const again = await queries.sendRecentAgain(db);
      log.warn({ again }, 'the stream has lost messages; recent ones are sent again');
    } catch (error) {
      mustCheck = true;
      throw error;
    }
  }

  async function publishTheRest(until: number): Promise<void> {
    await marking;
    await running;
    while (performance.now() < until && bus.stream && (await queries.isAnythingLeft(db))) {
      // None, when another replica is at it.
      if ((await relayRows(bus.stream, 0)) === 0) await delay(20);
    }
  }

  bus.onConnect(() => {
    mustCheck = true;
    flush.reopen();
    pause.end();
  });
  const running = relay();

  return {
    async publish(rows) {
      await faults.reach('outbox.committed');
      return flush.publish(rows);
    },
    state: () => queries.readState(db),
    async close(withinMs) {
      relaying = false;
      pause.end();
      const rest = publishTheRest(performance.now() + withinMs);
      const late = delay(withinMs, null, { ref: false });
      await Promise.race([rest, late]).catch((error) =>
        log.warn({ err: error }, 'what is left unpublished has to wait for the next start'),
      );
    },
  };
}
