import { randomUUID } from 'node:crypto';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Database } from '../../db/database.ts';
import type { StreamConnection } from '../bus/connect.ts';
import type { CheckpointRow } from './checkpoint.ts';
import { type DeadLetterInput, type DecodedSnapshot, decodeSnapshot, hashOf } from './decode.ts';
import type { Projection } from './projection.ts';
import { type ProjectionQueries, resyncRequested } from './queries.ts';
import type { SnapshotClient } from './snapshot-client.ts';
import { writeBatch } from './write-batch.ts';

export interface ResyncOptions {
  db: Database;
  stream: StreamConnection;
  projections: readonly Projection[];
  snapshotClients: Partial<Record<Origin, SnapshotClient>>;
  queries: ProjectionQueries;
  from: CheckpointRow;
  /** Whether the position still means something in this stream: readers then need not wait for this. */
  isCheckpointValid: boolean;
  schemaFingerprint: string;
  signal: AbortSignal;
  onDeadLetter: (deadLetters: readonly DeadLetterInput[]) => void;
}

const resyncPrefix = 'resync ';

/** Whether a resync has been asked for or begun and is not over. */
export const isResyncPending = ({ shape }: Pick<CheckpointRow, 'shape'>): boolean =>
  shape === resyncRequested || shape.startsWith(resyncPrefix);

/**
 * Makes every copy anew from its owner: the one repair for whatever a stream has lost.
 *
 * The position is claimed, so that nobody else writes meanwhile; the stream's end is noted; then each
 * owner's records are paged through and kept whatever version was there before, and what the owner no
 * longer has is deleted; reading goes on from the noted end. Errors: 503 when an owner is away, `Fenced`.
 */
export async function resync(options: ResyncOptions): Promise<CheckpointRow> {
  const { db, stream, queries, from, isCheckpointValid, schemaFingerprint } = options;
  const resyncCheckpoint = {
    incarnation: stream.streamCreatedAt,
    seq: isCheckpointValid ? from.seq : 0,
    anchor: isCheckpointValid ? from.anchor : '',
    shape: `${resyncPrefix}${randomUUID()}`,
  };
  await queries.advance(db, from, resyncCheckpoint);
  const to = { ...(await streamEnd(stream)), shape: schemaFingerprint };
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
  if (!client) throw new Error(`no owner is known for ${projection.type.type}`);
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
      conflictPolicy: 'owners',
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

/** What of a page can be kept; what cannot keeps the place of its record, so that this is not deleted. */
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

/** Below zero, where no place in a message is; the same for the same record. */
function indexInResync(projection: Projection, aggregateId: string): number {
  let hash = 7;
  for (const character of `${projection.type.type} ${aggregateId}`) {
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  }
  return -2 - (hash & 0x3fffffff);
}

async function streamEnd({ manager }: StreamConnection): Promise<Omit<CheckpointRow, 'shape'>> {
  const { state, created } = await manager.streams.info(streamName);
  const last =
    state.last_seq > 0
      ? await manager.streams.getMessage(streamName, { seq: state.last_seq })
      : null;
  return { seq: state.last_seq, incarnation: created, anchor: last ? hashOf(last.string()) : '' };
}
