import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName } from '@event-api/contracts/messages/snapshot';
import type { Bus, Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import { sqlState } from '../db/errors.ts';
import type { Logger } from '../log.ts';
import { anchorOf, type Pending, type Poison, type Received, readMessages } from './apply.ts';
import { openConsumer } from './consumer.ts';
import type { Copy } from './copy.ts';
import type { Leadership } from './leadership.ts';
import type { SnapshotOwner } from './owner.ts';
import type { Position, PositionRow } from './position.ts';
import { createProjectionQueries, Fenced } from './queries.ts';
import { resync } from './resync.ts';

const maxBatch = 500;

export interface Projector {
  /** Asks for every copy to be made anew from its owner; resolves when that is done. */
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
  log: Logger;
}

/**
 * Keeps a service's copies: reads the stream from its own position and applies what it finds, newest
 * version first come or last, with the position in the same commit. One process of a service does so
 * at a time, for economy; that no other can do harm is the position's fence.
 */
export function createProjector(options: ProjectorOptions): Projector {
  const { db, bus, copies, owners, position, leadership, log } = options;
  const queries = createProjectionQueries(options.schema);
  const shape = copies.map((copy) => copy.shape).join(';');
  const wanted: (() => void)[] = [];
  let closed = false;
  let connects = 0;
  bus.onConnect(() => {
    connects += 1;
  });

  async function run(): Promise<void> {
    for (let backoffMs = 50; !closed; ) {
      const { stream } = bus;
      if (!stream || !(await leadership.isHeld())) {
        await delay(100);
        continue;
      }
      try {
        await follow(stream);
        backoffMs = 50;
      } catch (error) {
        if (!(error instanceof Fenced)) log.warn({ err: error }, 'reading the stream failed');
        await delay(backoffMs);
        backoffMs = Math.min(backoffMs * 2, 5000);
      }
    }
  }

  /** Reads until the connection changes, the lead is lost or a resync is wanted. */
  async function follow(stream: Stream): Promise<void> {
    const asOf = connects;
    let at = await queries.readPosition(db);
    if (wanted.length > 0 || (await mustResync(stream, at))) {
      log.info('copies are made anew');
      at = await resync({ db, stream, copies, owners, queries, from: at, shape });
      for (const done of wanted.splice(0)) done();
    }
    position.moved(at);
    const consumer = await openConsumer(stream, at.seq + 1);
    try {
      while (!closed && asOf === connects && wanted.length === 0 && (await leadership.isHeld())) {
        const batch = await consumer.take(maxBatch);
        if (batch.length > 0) at = await applyAll(batch, at);
      }
    } finally {
      await consumer.close();
    }
  }

  async function mustResync(stream: Stream, at: PositionRow): Promise<boolean> {
    if (at.incarnation !== stream.incarnation || at.shape !== shape) return true;
    const { state } = await stream.manager.streams.info(streamName);
    if (at.seq > state.last_seq || at.seq + 1 < state.first_seq) return true;
    if (at.seq === 0 || at.seq < state.first_seq) return false;
    const message = await stream.manager.streams.getMessage(streamName, { seq: at.seq });
    return !message || anchorOf(message.string()) !== at.anchor;
  }

  async function applyAll(batch: readonly Received[], at: PositionRow): Promise<PositionRow> {
    const last = batch.at(-1);
    if (!last) return at;
    const { pending, poison } = readMessages(batch, copies);
    const to = { ...at, seq: last.seq, anchor: anchorOf(last.data) };
    const bad = await commit(pending, poison, at, to);
    for (const { seq, index, error } of bad) {
      log.error(
        { alarm: 'dead_letter', seq, index, reason: error.slice(0, 200) },
        'a snapshot cannot be applied',
      );
    }
    position.moved(to);
    return to;
  }

  /** Applies all of it in one commit; what the database refuses for good is found by halving and buried. */
  async function commit(
    pending: readonly Pending[],
    poison: readonly Poison[],
    from: PositionRow,
    to: PositionRow,
  ): Promise<readonly Poison[]> {
    try {
      await db.transaction(async (tx) => {
        await queries.move(tx, from, to);
        await queries.bury(tx, to.incarnation, poison);
        for (const copy of copies) {
          const own = pending.filter((one) => one.copy === copy).map(({ snapshot }) => snapshot);
          await copy.upsert(tx, own);
        }
      });
      return poison;
    } catch (error) {
      if (!isForGood(error) || pending.length === 0) throw error;
      const half = Math.ceil(pending.length / 2);
      if (pending.length === 1) return commit([], [...poison, buried(pending, error)], from, to);
      // The first half is applied under the old position: a kill in between only repeats it.
      const found = await commit(pending.slice(0, half), poison, from, from);
      const rest = await commit(pending.slice(half), [], from, to);
      return [...found, ...rest];
    }
  }

  const running = run();
  return {
    resync: () =>
      new Promise<void>((done) => {
        wanted.push(done);
      }),
    async close() {
      closed = true;
      await leadership.close();
      await running;
    },
  };
}

/** A value that will not fit at any repeat. */
const isForGood = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');

function buried([one]: readonly Pending[], error: unknown): Poison {
  return {
    seq: one?.seq ?? 0,
    index: one?.index ?? 0,
    body: JSON.stringify(one?.snapshot),
    error: error instanceof Error ? error.message : String(error),
  };
}
