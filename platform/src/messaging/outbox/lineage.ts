import { randomUUID } from 'node:crypto';
import { type Origin, rewoundType, type Snapshot } from '@event-api/contracts/messages/snapshot';
import { systemClock } from '../../core/clock.ts';
import { randomId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import { streamTimeouts } from '../../core/timeouts.ts';
import type { Db } from '../../db/database.ts';
import type { Bus, StreamConnection } from '../bus/connect.ts';
import type { OutboxRow } from './emit.ts';
import type { PublishedRow } from './group-publisher.ts';
import type { OutboxQueries } from './outbox.queries.ts';
import { findMissingRows, lastSequence } from './own-messages.ts';
import {
  compareWithStream,
  decideRewind,
  type MarkResult,
  type RewindDecision,
  type StreamStateRow,
} from './rewind.ts';
import { createStreamStateQueries } from './stream-state.ts';

/** Detects that the database of this service was restored to an earlier state. */
export interface Lineage {
  /** The state that the last check has confirmed. Null before it, and after an `invalidate`. */
  readonly verified: StreamStateRow | null;
  /** Whether the last check is older than a minute. */
  readonly isDue: boolean;
  /** The next message needs a check: a connection to the bus or to the database is new. */
  invalidate(): void;
  /** Checks unless the state is verified. Errors: those of the bus and the database. */
  ensure(): Promise<StreamStateRow>;
  /** Starts a check now and returns the state that it has confirmed. Errors: as above. */
  verify(): Promise<StreamStateRow>;
  /** Replaces the lineage without evidence. Errors: as above. */
  renew(): Promise<StreamStateRow>;
  /** Records what marking published rows has found out. */
  noteMarked(marked: MarkResult, published: readonly PublishedRow[]): void;
}

interface CheckResult {
  state: StreamStateRow;
  /** The marker of a new lineage. */
  marker: OutboxRow | null;
}

export function createLineage(options: {
  db: Db;
  bus: Bus;
  origin: Origin;
  schema: string;
  outboxQueries: OutboxQueries;
  /** Resolves when no row waits to be marked. */
  marksWritten: () => Promise<unknown>;
  /** Publishes the marker of a new lineage. */
  publishMarker: (marker: OutboxRow) => void;
  onRewound: () => void;
  /** Called when a check has found messages of another database in the stream. */
  onShared: (lineages: readonly string[]) => void;
  log: Logger;
}): Lineage {
  const { db, bus, origin, outboxQueries, log } = options;
  const queries = createStreamStateQueries(options.schema);
  let verified: StreamStateRow | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let invalidations = 0;
  let running: Promise<StreamStateRow> | null = null;
  /**
   * The lineage that the message of a missing row carries. If it has been replaced since, the row
   * says nothing.
   */
  let missedRowIn: string | null = null;

  function start(attempt: () => Promise<CheckResult | null>): Promise<StreamStateRow> {
    const asOf = invalidations;
    running = repeat(attempt)
      .then(({ state, marker }) => {
        checkedAt = performance.now();
        if (asOf === invalidations) verified = state;
        if (marker) options.publishMarker(marker);
        return state;
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  async function repeat(attempt: () => Promise<CheckResult | null>): Promise<CheckResult> {
    for (let attempts = 1; attempts <= streamTimeouts.lineageAttempts; attempts++) {
      const result = await attempt();
      if (result) return result;
    }
    throw new Error('other processes change the stream state all the time');
  }

  /** Returns null if another process has changed the state meanwhile. */
  async function check(): Promise<CheckResult | null> {
    const { stream } = bus;
    if (!stream) throw new Error('the bus is unavailable');
    // Pending marks would overwrite the new state.
    await options.marksWritten();
    const stored = await queries.read(db);
    const ownEnd = await lastSequence(stream, origin);
    const hasLostMessages = await requeueLost(stream);
    const createdAt = stream.streamCreatedAt;
    const { outcome, after } = compareWithStream(stored, { createdAt, ownEnd, hasLostMessages });
    const state =
      outcome === 'same_stream'
        ? stored
        : await queries.follow(db, stored, { incarnation: createdAt, confirmedSeq: after });
    if (!state) return null;
    const missing = await findMissingRows({ db, stream, origin, queries, after, upTo: ownEnd });
    const hasMissedOwnRow = missedRowIn === state.lineage;
    // The state before this stream: a database that has never seen one is new.
    const decision = decideRewind({ state: stored, ownEnd, missing, hasMissedOwnRow });
    if (decision.outcome === 'rewound')
      return rewind(state, decision, { after, isNew: stored.incarnation === '' });
    const confirmed = await queries.confirm(db, state, decision.confirmedSeq);
    if (confirmed && decision.outcome === 'shared') options.onShared(decision.lineages);
    return confirmed && { state: confirmed, marker: null };
  }

  async function rewind(
    state: StreamStateRow,
    { confirmedSeq, lostRows }: Extract<RewindDecision, { outcome: 'rewound' }>,
    { after, isNew }: { after: number; isNew: boolean },
  ): Promise<CheckResult | null> {
    const renewed = await replaceLineage(state, confirmedSeq);
    if (!renewed) return null;
    options.onRewound();
    log.error(
      { alarm: 'database_rewound', missingRows: lostRows, after, upTo: confirmedSeq },
      isNew
        ? 'the stream has messages of another database: this one is new, or another deployment uses the same NATS; readers rebuild their projections'
        : 'the database was put back to an earlier state; readers rebuild their projections',
    );
    return renewed;
  }

  async function replaceLineage(
    state: StreamStateRow,
    confirmedSeq: number,
  ): Promise<CheckResult | null> {
    const next = { ...state, lineage: randomUUID(), previousLineage: state.lineage, confirmedSeq };
    const marker = await queries.renew(db, state, next, markerPayload(origin, next.lineage));
    if (!marker) return null;
    missedRowIn = null;
    return { state: next, marker };
  }

  /**
   * Publishes recent messages again if the stream has lost the last one that it had acknowledged.
   */
  async function requeueLost(stream: StreamConnection): Promise<boolean> {
    if (!(await outboxQueries.hasStreamLostMessages(db, stream))) return false;
    const again = await outboxQueries.requeueRecent(db);
    log.warn({ again }, 'stream has lost messages; recent ones are published again');
    return true;
  }

  async function verify(): Promise<StreamStateRow> {
    // A running check may have read the database before this call.
    await running?.catch(() => {});
    return running ?? start(check);
  }

  return {
    get verified() {
      return verified;
    },
    get isDue() {
      return performance.now() - checkedAt > streamTimeouts.lineageCheckIntervalMs;
    },
    invalidate() {
      invalidations += 1;
      verified = null;
    },
    ensure: async () => verified ?? (await (running ?? start(check))),
    verify,
    async renew() {
      await verify();
      return start(async () => {
        const state = await queries.read(db);
        return replaceLineage(state, state.confirmedSeq);
      });
    },
    noteMarked({ marked, confirmedSeq }, published) {
      if (marked < published.length) missedRowIn = published[0]?.lineage ?? null;
      if (!verified) return;
      if (confirmedSeq === null) {
        invalidations += 1;
        verified = null;
      } else {
        verified = { ...verified, confirmedSeq: Math.max(verified.confirmedSeq, confirmedSeq) };
      }
    },
  };
}

function markerPayload(origin: Origin, lineage: string): string {
  const marker: Snapshot = {
    id: randomId('msg'),
    type: rewoundType(origin),
    businessUnitId: '',
    eventId: '',
    aggregateId: lineage,
    version: 1,
    occurredAt: systemClock.now().toISOString(),
    data: {},
  };
  return JSON.stringify([marker]);
}
