import { setTimeout as delay } from 'node:timers/promises';
import { type Origin, streamName, subjectFor } from '@event-api/contracts/messages/snapshot';
import { unavailable } from '../../core/errors.ts';
import { every } from '../../core/every.ts';
import type { Logger } from '../../core/log.ts';
import { projectionTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import type { SpanRecorder } from '../../telemetry/spans.ts';
import type { Bus, StreamConnection } from '../bus/connect.ts';
import { openConsumer, type StreamMessage, type StreamReader } from '../bus/consumer.ts';
import { type Checkpoint, type CheckpointRow, isResyncPending } from './checkpoint.ts';
import { type DeadLetterInput, decodeMessages, hashOf } from './decode.ts';
import type { LeaderLock } from './leader.ts';
import { decideLineageResync, type LineageResyncs } from './lineage-resyncs.ts';
import { traceMessages } from './message-spans.ts';
import { createOriginFollower } from './origin-follower.ts';
import { withoutOtherLineages } from './origins.ts';
import { createOwnerLineages } from './owner-lineages.ts';
import type { Projection } from './projection.ts';
import { CheckpointConflict, createProjectionQueries } from './projections.queries.ts';
import { resync } from './resync.ts';
import type { SnapshotClient } from './snapshot-client.ts';
import { writeBatch } from './write-batch.ts';

const maxBatch = 500;

export interface Projector {
  /**
   * Rebuilds every projection from its owner, in the process that leads. Resolves when this is
   * done. Errors: 503 when this process ends first.
   */
  resync(): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectorOptions {
  db: Database;
  bus: Bus;
  schema: string;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
  checkpoint: Checkpoint;
  leaderLock: LeaderLock;
  /** Called with the lineages of messages that come from another database than the owner's. */
  onShared: (lineages: readonly string[]) => void;
  /** Null where no spans are recorded. */
  spans: SpanRecorder | null;
  log: Logger;
}

/**
 * Keeps the projections of a service up to date. It reads the stream from its checkpoint and
 * applies each snapshot that is newer than its row, with the checkpoint in the same commit. One
 * process per service does so at a time, for efficiency; the checkpoint prevents conflicting
 * writes.
 */
export function createProjector(options: ProjectorOptions): Projector {
  const { db, bus, projections, checkpoint, leaderLock, log } = options;
  const queries = createProjectionQueries(options.schema);
  const projectedSubjects = new Set(projections.map(({ type }) => subjectFor(type.origin)));
  const schemaFingerprint = [
    'projections',
    ...projections.map((projection) => projection.schemaFingerprint),
  ].join(';');
  const closing = new AbortController();
  const { signal } = closing;
  const ownerLineages = createOwnerLineages({ ...options, signal });
  const follower = createOriginFollower({ ...options, queries, ownerLineages });
  let reader: StreamReader | null = null;
  let connects = 0;
  let failingSince: number | null = null;
  let backoffMs = projectionTimeouts.minBackoffMs;
  /** The pause before the next turn. */
  let pauseMs = 0;
  let lineageResyncs: LineageResyncs | null = null;

  async function runTurn(): Promise<void> {
    const { stream } = bus;
    // Another process may reach the stream.
    if (!stream) await leaderLock.resign();
    if (!stream || !(await leaderLock.isLeader())) {
      pauseMs = projectionTimeouts.idleIntervalMs;
      return;
    }
    pauseMs = await runConsumer(stream);
  }

  async function onFailure(error: unknown): Promise<void> {
    if (!(error instanceof CheckpointConflict)) await logFailure(error);
    // Another process may reach what this one does not.
    await leaderLock.resign();
    pauseMs = backoffMs;
    backoffMs = Math.min(backoffMs * 2, projectionTimeouts.maxBackoffMs);
  }

  async function logFailure(error: unknown): Promise<void> {
    failingSince ??= performance.now();
    const level =
      performance.now() - failingSince < projectionTimeouts.warnAfterMs ? 'info' : 'warn';
    log[level]({ err: error }, 'reading the stream failed');
    await bus.checkStream();
  }

  /**
   * Consumes until the connection changes, the leader lock is lost, or the checkpoint has changed.
   * Returns the pause before the next turn.
   */
  async function runConsumer(stream: StreamConnection): Promise<number> {
    const asOf = connects;
    let at = await queries.readCheckpoint(db);
    const state = await validateCheckpoint(stream, at);
    const followed = await follower.start(at);
    at = followed.at;
    if (followed.mustResync) {
      const decision = decideLineageResync(lineageResyncs, performance.now());
      if (decision.outcome === 'wait') return reportAlternation(decision.waitMs);
      at = await rebuildProjections(stream, at, state !== 'lost');
      // A rebuild that fails, because an owner does not respond, is no change of a lineage.
      lineageResyncs = decision.next;
    } else if (state !== 'good') {
      at = await rebuildProjections(stream, at, state !== 'lost');
    }
    checkpoint.advance(at);
    const messages = await openConsumer(stream, at.seq + 1);
    reader = messages;
    failingSince = null;
    backoffMs = projectionTimeouts.minBackoffMs;
    try {
      // The last skipped message: the checkpoint advances to it after `checkpointIntervalMs`.
      let unwritten: StreamMessage[] = [];
      let writeBy = performance.now() + projectionTimeouts.checkpointIntervalMs;
      const isConnected = () => asOf === connects && bus.stream === stream;
      while (!signal.aborted && isConnected() && (await leaderLock.isLeader())) {
        const batch = await messages.next(maxBatch);
        at = await follower.confirm(at);
        at = await follower.check(batch, at);
        if (isResyncPending(at)) return 0;
        if (batch.length + unwritten.length === 0) {
          if (await hasCheckpointChanged(at)) return 0;
          continue;
        }
        if (!isContiguous(batch, unwritten.at(-1)?.seq ?? at.seq)) {
          log.warn({ after: at.seq }, 'the stream no longer holds the next message');
          await queries.requestResync(db);
          return 0;
        }
        unwritten = [...unwritten.slice(-1), ...batch];
        const isIrrelevant =
          batch.length > 0 && !batch.some(({ subject }) => projectedSubjects.has(subject));
        if (isIrrelevant && performance.now() < writeBy) continue;
        at = await applyBatch(unwritten, at);
        unwritten = [];
        writeBy = performance.now() + projectionTimeouts.checkpointIntervalMs;
      }
      return 0;
    } finally {
      reader = null;
      await messages.close();
    }
  }

  /** Logs that a rebuild waits, and returns how long. */
  function reportAlternation(waitMs: number): number {
    log.error(
      { alarm: 'lineages_alternate', waitMs: Math.round(waitMs) },
      'the lineage of an owner changes again and again, the resync waits: probably its processes use different databases',
    );
    return waitMs;
  }

  /** Whether the checkpoint is valid in this stream, is outdated, or belongs to another stream. */
  async function validateCheckpoint(
    { manager, streamCreatedAt }: StreamConnection,
    at: CheckpointRow,
  ): Promise<'good' | 'outdated' | 'lost'> {
    const { state, created } = await manager.streams.info(streamName);
    if (created !== streamCreatedAt) throw new Error('the stream was recreated');
    if (at.streamCreatedAt !== created || at.seq > state.last_seq) return 'lost';
    if (at.seq > 0 && at.seq >= state.first_seq) {
      const message = await manager.streams.getMessage(streamName, { seq: at.seq });
      if (!message || hashOf(message.string()) !== at.lastMessageHash) return 'lost';
    }
    const isBehind = at.seq + 1 < state.first_seq;
    return isBehind || at.schemaFingerprint !== schemaFingerprint || isResyncPending(at)
      ? 'outdated'
      : 'good';
  }

  async function rebuildProjections(
    stream: StreamConnection,
    from: CheckpointRow,
    isCheckpointValid: boolean,
  ): Promise<CheckpointRow> {
    const { snapshotClients } = options;
    log.info('resync started');
    if (!isCheckpointValid) checkpoint.advance({ seq: 0, streamCreatedAt: stream.streamCreatedAt });
    const to = await resync({
      db,
      stream,
      projections,
      snapshotClients,
      ownerLineages,
      queries,
      from,
      isCheckpointValid,
      schemaFingerprint,
      signal,
      onDeadLetter: report,
    });
    log.info({ sequence: to.seq }, 'resync completed');
    return to;
  }

  /** Whether another process has become leader, requested a resync or restored the database. */
  async function hasCheckpointChanged(at: CheckpointRow): Promise<boolean> {
    const current = await queries.readCheckpoint(db);
    return (
      current.seq !== at.seq ||
      current.streamCreatedAt !== at.streamCreatedAt ||
      current.schemaFingerprint !== at.schemaFingerprint
    );
  }

  async function applyBatch(
    batch: readonly StreamMessage[],
    at: CheckpointRow,
  ): Promise<CheckpointRow> {
    const last = batch.at(-1);
    if (!last) return at;
    const to = { ...at, seq: last.seq, lastMessageHash: hashOf(last.data) };
    const bad = await traceMessages(options, batch, () =>
      writeBatch(
        { db, queries, projections },
        {
          ...decodeMessages(withoutOtherLineages(batch, at.origins), projections),
          from: at,
          to,
          conflictPolicy: 'newest',
        },
      ),
    );
    report(bad);
    checkpoint.advance(to);
    return to;
  }

  function report(bad: readonly DeadLetterInput[]): void {
    for (const { seq, index, reason } of bad) {
      const fields = { alarm: 'dead_letter', seq, index, reason: reason.slice(0, 200) };
      log.error(fields, 'failed to apply a snapshot, stored as a dead letter');
    }
  }

  // The database may have been put back.
  db.onConnectionLost(() => reader?.interrupt());
  const turns = every(runTurn, {
    intervalMs: () => pauseMs,
    immediately: true,
    onError: onFailure,
  });
  bus.onConnect(() => {
    connects += 1;
    checkpoint.reset();
    reader?.interrupt();
    turns.wake();
  });
  return {
    async resync() {
      await queries.readCheckpoint(db);
      await queries.requestResync(db);
      reader?.interrupt();
      while (isResyncPending(await queries.readCheckpoint(db))) {
        if (signal.aborted) throw unavailable();
        await delay(projectionTimeouts.resyncPollIntervalMs);
      }
    },
    async close() {
      closing.abort();
      const stopped = turns.stop();
      reader?.interrupt();
      await leaderLock.close();
      await stopped;
    },
  };
}

/** Whether the messages continue at this sequence number without a gap. */
const isContiguous = (batch: readonly StreamMessage[], after: number): boolean =>
  batch.every(({ seq }, index) => seq === after + 1 + index);
