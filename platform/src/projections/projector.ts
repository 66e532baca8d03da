import { type Origin, streamName, subjectOf } from '@event-api/contracts/messages/snapshot';
import type { Bus, Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import { unavailable } from '../errors.ts';
import type { Logger } from '../log.ts';
import { createPause } from '../pause.ts';
import type { SpanRecorder } from '../telemetry/spans.ts';
import { anchorOf, type Poison, type Received, readMessages } from './apply.ts';
import { openConsumer, type StreamReader } from './consumer.ts';
import type { Copy } from './copy.ts';
import type { Leadership } from './leadership.ts';
import type { SnapshotOwner } from './owner.ts';
import type { Position, PositionRow } from './position.ts';
import { createProjectionQueries, Fenced } from './queries.ts';
import { isResyncDue, resync } from './resync.ts';
import { traceMessages } from './trace-messages.ts';
import { writeStep } from './write.ts';

const maxBatch = 500;
/** For so long at most messages that nobody here copies go by without the position being written. */
const longestSkipMs = 1000;
const shortestBackoffMs = 50;
const longestBackoffMs = 1000;
/** Whoever starts first finds nobody home: that is worth a warning only when it lasts. */
const patienceMs = 10_000;

export interface Projector {
  /**
   * Has every copy made anew from its owner, by whichever process leads; resolves when that is done.
   * Errors: 503 when this process ends before.
   */
  resync(): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectorOptions {
  db: Database;
  bus: Bus;
  schema: string;
  copies: readonly Copy[];
  owners: Partial<Record<Origin, SnapshotOwner>>;
  position: Position;
  leadership: Leadership;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  log: Logger;
}

/**
 * Keeps a service's copies: reads the stream from its own position and applies what it finds, newest
 * version first come or last, with the position in the same commit. One process of a service does so
 * at a time, for economy; that no other can do harm is the position's fence.
 */
export function createProjector(options: ProjectorOptions): Projector {
  const { db, bus, copies, position, leadership, log } = options;
  const queries = createProjectionQueries(options.schema);
  const copied = new Set(copies.map(({ type }) => subjectOf(type.origin)));
  const shape = ['copies', ...copies.map((copy) => copy.shape)].join(';');
  const closing = new AbortController();
  const { signal } = closing;
  const pause = createPause();
  let reader: StreamReader | null = null;
  let connects = 0;
  let failingSince: number | null = null;
  let backoffMs = shortestBackoffMs;
  bus.onConnect(() => {
    connects += 1;
    position.forget();
    reader?.interrupt();
    pause.end();
  });

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const { stream } = bus;
      if (!stream || !(await leadership.isHeld())) {
        await pause.lasting(100);
        continue;
      }
      try {
        await follow(stream);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Fenced)) await tell(error);
        await pause.lasting(backoffMs);
        backoffMs = Math.min(backoffMs * 2, longestBackoffMs);
      }
    }
  }

  async function tell(error: unknown): Promise<void> {
    failingSince ??= performance.now();
    const level = performance.now() - failingSince < patienceMs ? 'info' : 'warn';
    log[level]({ err: error }, 'reading the stream failed');
    await bus.check();
  }

  /** Reads until the connection changes, the lead is lost, or the position is not what it was. */
  async function follow(stream: Stream): Promise<void> {
    const asOf = connects;
    let at = await queries.readPosition(db);
    const state = await judge(stream, at);
    if (state !== 'good') at = await makeAnew(stream, at, state === 'outdated');
    position.moved(at);
    const messages = await openConsumer(stream, at.seq + 1);
    reader = messages;
    failingSince = null;
    backoffMs = shortestBackoffMs;
    try {
      // The last message of others' is kept, so that the position gets past it when there is time for that.
      let unwritten: Received[] = [];
      let writeBy = performance.now() + longestSkipMs;
      while (!signal.aborted && asOf === connects && (await leadership.isHeld())) {
        const batch = await messages.take(maxBatch);
        if (batch.length + unwritten.length === 0) {
          if (await hasMoved(at)) return;
          continue;
        }
        if (!isWhole(batch, unwritten.at(-1)?.seq ?? at.seq)) {
          log.warn({ after: at.seq }, 'the stream no longer holds the next message');
          return await queries.askResync(db);
        }
        unwritten = [...unwritten.slice(-1), ...batch];
        const meansNothing = batch.length > 0 && !batch.some(({ subject }) => copied.has(subject));
        if (meansNothing && performance.now() < writeBy) continue;
        at = await applyAll(unwritten, at);
        unwritten = [];
        writeBy = performance.now() + longestSkipMs;
      }
    } finally {
      reader = null;
      await messages.close();
    }
  }

  /** Whether the copies can go on from here, are merely too old for it, or belong to another stream than this. */
  async function judge(
    { manager, incarnation }: Stream,
    at: PositionRow,
  ): Promise<'good' | 'outdated' | 'lost'> {
    const { state, created } = await manager.streams.info(streamName);
    if (created !== incarnation) throw new Error('the stream was made anew');
    if (at.incarnation !== created || at.seq > state.last_seq) return 'lost';
    if (at.seq > 0 && at.seq >= state.first_seq) {
      const message = await manager.streams.getMessage(streamName, { seq: at.seq });
      if (!message || anchorOf(message.string()) !== at.anchor) return 'lost';
    }
    const isBehind = at.seq + 1 < state.first_seq;
    return isBehind || at.shape !== shape || isResyncDue(at) ? 'outdated' : 'good';
  }

  async function makeAnew(
    stream: Stream,
    from: PositionRow,
    isPositionGood: boolean,
  ): Promise<PositionRow> {
    const { owners } = options;
    log.info('copies are made anew');
    if (!isPositionGood) position.moved({ seq: 0, incarnation: stream.incarnation });
    const to = await resync({
      db,
      stream,
      copies,
      owners,
      queries,
      from,
      isPositionGood,
      shape,
      signal,
      onPoison: report,
    });
    log.info({ position: to.seq }, 'copies are made anew: done');
    return to;
  }

  /** Somebody else leads after all, asks for a resync, or has restored the database. */
  async function hasMoved(at: PositionRow): Promise<boolean> {
    const now = await queries.readPosition(db);
    return now.seq !== at.seq || now.incarnation !== at.incarnation || now.shape !== at.shape;
  }

  async function applyAll(batch: readonly Received[], at: PositionRow): Promise<PositionRow> {
    const last = batch.at(-1);
    if (!last) return at;
    const to = { ...at, seq: last.seq, anchor: anchorOf(last.data) };
    const bad = await traceMessages(options, batch, () =>
      writeStep(
        { db, queries, copies },
        {
          ...readMessages(batch, copies),
          from: at,
          to,
          keeps: 'newest',
        },
      ),
    );
    report(bad);
    position.moved(to);
    return to;
  }

  function report(bad: readonly Poison[]): void {
    for (const { seq, index, reason } of bad) {
      const told = { alarm: 'dead_letter', seq, index, reason: reason.slice(0, 200) };
      log.error(told, 'a snapshot cannot be applied');
    }
  }

  const running = run();
  return {
    async resync() {
      await queries.readPosition(db);
      await queries.askResync(db);
      while (isResyncDue(await queries.readPosition(db))) {
        if (signal.aborted) throw unavailable();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      closing.abort();
      reader?.interrupt();
      pause.end();
      await leadership.close();
      await running;
    },
  };
}

/** Whether nothing is missing between this place and the end of these messages. */
const isWhole = (batch: readonly Received[], after: number): boolean =>
  batch.every(({ seq }, index) => seq === after + 1 + index);
