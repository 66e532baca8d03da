import { randomUUID } from 'node:crypto';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Database } from '../../db/database.ts';
import type { StreamConnection } from '../bus/connect.ts';
import { type CheckpointRow, resyncPrefix } from './checkpoint.ts';
import { type DeadLetterInput, type DecodedSnapshot, decodeSnapshot, hashOf } from './decode.ts';
import { confirmedStates } from './origins.ts';
import type { OwnerLineages } from './owner-lineages.ts';
import type { Projection } from './projection.ts';
import type { ProjectionQueries } from './projections.queries.ts';
import type { SnapshotClient } from './snapshot-client.ts';
import { writeBatch } from './write-batch.ts';

export interface ResyncOptions {
  db: Database;
  stream: StreamConnection;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
  ownerLineages: OwnerLineages;
  queries: ProjectionQueries;
  from: CheckpointRow;
  /**
   * Whether the checkpoint is valid in this stream. Read-after waits then continue during the
   * resync.
   */
  isCheckpointValid: boolean;
  schemaFingerprint: string;
  signal: AbortSignal;
  onDeadLetter: (deadLetters: readonly DeadLetterInput[]) => void;
}

/**
 * Rebuilds every projection from its owner. It repairs every loss of messages.
 *
 * It advances the checkpoint first, so that no other process writes, and notes the lineages of the
 * owners and the end of the stream. Then it pages through the records of each owner, writes them
 * regardless of the stored version, and deletes the rows that the owner no longer has. Consumption
 * continues from the noted end. Errors: 503 when an owner is unavailable; `CheckpointConflict`.
 */
export async function resync(options: ResyncOptions): Promise<CheckpointRow> {
  const { db, stream, queries, from, isCheckpointValid, schemaFingerprint } = options;
  const resyncCheckpoint = {
    streamCreatedAt: stream.streamCreatedAt,
    seq: isCheckpointValid ? from.seq : 0,
    lastMessageHash: isCheckpointValid ? from.lastMessageHash : '',
    schemaFingerprint: `${resyncPrefix}${randomUUID()}`,
    origins: from.origins,
  };
  await queries.advance(db, from, resyncCheckpoint);
  // Before the end is noted: a lineage that is replaced during the rebuild is announced after that
  // end.
  const origins = confirmedStates(await options.ownerLineages.read());
  const to = { ...(await streamEnd(stream)), schemaFingerprint, origins };
  for (const projection of options.projections)
    await rebuildProjection(projection, resyncCheckpoint, to.seq, options);
  await queries.advance(db, resyncCheckpoint, to);
  return to;
}

async function rebuildProjection(
  projection: Projection,
  resyncCheckpoint: CheckpointRow,
  endSeq: number,
  options: ResyncOptions,
): Promise<void> {
  const client = options.snapshotClients[projection.type.origin];
  if (!client) throw new Error(`no snapshot client for ${projection.type.type}`);
  let after = '';
  for (let next: string | null = null; ; ) {
    options.signal.throwIfAborted();
    const page = await client.page(projection.type.type, next, options.signal);
    const { pending, deadLetters, ids } = readPage(projection, page.snapshots, endSeq);
    const upTo = page.next === null ? null : (ids.at(-1) ?? null);
    const bad = await writeBatch(options, {
      pending,
      deadLetters,
      from: resyncCheckpoint,
      to: resyncCheckpoint,
      conflictPolicy: 'source',
    });
    if (bad.length > 0) options.onDeadLetter(bad);
    await options.db.transaction(async (tx) => {
      await options.queries.advance(tx, resyncCheckpoint, resyncCheckpoint);
      await projection.deleteMissing(tx, after, upTo, ids);
    });
    if (upTo === null) return;
    after = upTo;
    next = page.next;
  }
}

/**
 * Splits a page into decoded snapshots and dead letters. A dead letter also protects its row from
 * deletion.
 */
function readPage(projection: Projection, parts: readonly unknown[], seq: number) {
  const pending: DecodedSnapshot[] = [];
  const deadLetters: DeadLetterInput[] = [];
  const ids: string[] = [];
  for (const part of parts) {
    const { aggregateId } = part as { aggregateId?: unknown };
    if (typeof aggregateId === 'string') ids.push(aggregateId);
    const index = indexInResync(projection, String(aggregateId));
    const { snapshot, error } = decodeSnapshot(projection, part);
    if (snapshot) pending.push({ projection, seq, index, snapshot });
    else deadLetters.push({ seq, index, body: JSON.stringify(part), error, reason: error });
  }
  return { pending, deadLetters, ids };
}

/** A negative index, which no message has; the same for the same record. */
function indexInResync(projection: Projection, aggregateId: string): number {
  let hash = 7;
  for (const character of `${projection.type.type} ${aggregateId}`) {
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  }
  return -2 - (hash & 0x3fffffff);
}

async function streamEnd({
  manager,
}: StreamConnection): Promise<Pick<CheckpointRow, 'seq' | 'streamCreatedAt' | 'lastMessageHash'>> {
  const { state, created } = await manager.streams.info(streamName);
  const last =
    state.last_seq > 0
      ? await manager.streams.getMessage(streamName, { seq: state.last_seq })
      : null;
  return {
    seq: state.last_seq,
    streamCreatedAt: created,
    lastMessageHash: last ? hashOf(last.string()) : '',
  };
}
