import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName } from '@event-api/contracts/messages/snapshot';
import type { Bus, Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { ReadAfter } from '../read-after/token.ts';
import type { OutboxRow } from './emit.ts';
import { type Acknowledged, createGroupFlush } from './flush.ts';
import { createOutboxQueries } from './queries.ts';
import { relayOnce } from './relay.ts';

export interface Outbox {
  /** What a transaction has emitted goes out; called by the database after each commit. */
  publish(rows: readonly OutboxRow[]): Promise<ReadAfter | null>;
  /** Resolves once nothing is left that this process knows to be unpublished, or after `withinMs`. */
  settle(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

const markEveryMs = 50;
const busyMs = 300;
const idleMs = 1000;
const pruneEveryMs = 10 * 60_000;

/** Takes what a service has promised to the bus, at once where it can and through the relay where it cannot. */
export function createOutbox(options: {
  db: Database;
  bus: Bus;
  origin: Origin;
  schema: string;
  log: Logger;
}): Outbox {
  const { db, bus, origin, log } = options;
  const queries = createOutboxQueries(options.schema);
  let marks: Acknowledged[] = [];
  let marking: Promise<void> | null = null;
  let relaying = true;
  // Whatever an earlier process has left behind is looked for first.
  let mayHaveLeft = true;
  let lastAcknowledged: { id: string; sequence: number } | null = null;

  const flush = createGroupFlush({
    bus,
    origin,
    onAcknowledged(acknowledged) {
      marks.push(...acknowledged);
      const last = acknowledged.at(-1);
      if (last) lastAcknowledged = { id: last.row.id, sequence: last.sequence };
      marking ??= markSoon();
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
    let lastPrune = 0;
    while (relaying) {
      await delay(mayHaveLeft ? busyMs : idleMs);
      const { stream } = bus;
      if (!stream || !relaying) continue;
      try {
        const { published, left } = await relayOnce({ db, stream, origin, queries, log });
        mayHaveLeft = left;
        flush.reopen();
        if (published > 0) log.info({ published }, 'relayed what was left');
        if (performance.now() - lastPrune > pruneEveryMs) {
          await queries.prune(db);
          lastPrune = performance.now();
        }
      } catch (error) {
        mayHaveLeft = true;
        log.warn({ err: error }, 'relay failed');
      }
    }
  }

  async function checkStream(stream: Stream): Promise<void> {
    if (!lastAcknowledged) return;
    const { id, sequence } = lastAcknowledged;
    const kept = await queries.isStillThere(db, stream, id, sequence);
    if (kept) return;
    const again = await queries.sendRecentAgain(db);
    mayHaveLeft = true;
    log.warn(
      { stream: streamName, again },
      'the stream has lost messages; recent ones are sent again',
    );
  }

  bus.onConnect((stream) => {
    flush.reopen();
    mayHaveLeft = true;
    void checkStream(stream).catch((error) =>
      log.warn({ err: error }, 'the stream could not be checked'),
    );
  });
  const running = relay();

  return {
    publish: (rows) => flush.publish(rows),
    async settle(withinMs) {
      const deadline = performance.now() + withinMs;
      while ((marking || mayHaveLeft) && performance.now() < deadline && bus.stream)
        await delay(10);
    },
    async close() {
      relaying = false;
      await marking;
      await running;
    },
  };
}
