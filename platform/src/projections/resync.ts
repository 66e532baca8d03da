import { randomUUID } from 'node:crypto';
import type { Origin } from '@event-api/contracts/messages/snapshot';
import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import { anchorOf, type Pending, type Poison, readSnapshot } from './apply.ts';
import type { Copy } from './copy.ts';
import type { SnapshotOwner } from './owner.ts';
import type { PositionRow } from './position.ts';
import { type ProjectionQueries, resyncAsked } from './queries.ts';
import { writeStep } from './write.ts';

export interface ResyncOptions {
  db: Database;
  stream: Stream;
  copies: readonly Copy[];
  owners: Partial<Record<Origin, SnapshotOwner>>;
  queries: ProjectionQueries;
  from: PositionRow;
  /** Whether the position still means something in this stream: readers then need not wait for this. */
  isPositionGood: boolean;
  shape: string;
  signal: AbortSignal;
  onPoison: (poison: readonly Poison[]) => void;
}

const marker = 'resync ';

/** Whether a resync has been asked for or begun and is not over. */
export const isResyncDue = ({ shape }: Pick<PositionRow, 'shape'>): boolean =>
  shape === resyncAsked || shape.startsWith(marker);

/**
 * Makes every copy anew from its owner: the one repair for whatever a stream has lost.
 *
 * The position is claimed, so that nobody else writes meanwhile; the stream's end is noted; then each
 * owner's records are paged through and kept whatever version was there before, and what the owner no
 * longer has is deleted; reading goes on from the noted end. Errors: 503 when an owner is away, `Fenced`.
 */
export async function resync(options: ResyncOptions): Promise<PositionRow> {
  const { db, stream, queries, from, isPositionGood, shape } = options;
  const claim = {
    incarnation: stream.incarnation,
    seq: isPositionGood ? from.seq : 0,
    anchor: isPositionGood ? from.anchor : '',
    shape: `${marker}${randomUUID()}`,
  };
  await queries.move(db, from, claim);
  const to = { ...(await endOf(stream)), shape };
  for (const copy of options.copies) await makeAnew(copy, claim, to.seq, options);
  await queries.move(db, claim, to);
  return to;
}

async function makeAnew(
  copy: Copy,
  claim: PositionRow,
  endSeq: number,
  options: ResyncOptions,
): Promise<void> {
  const owner = options.owners[copy.type.origin];
  if (!owner) throw new Error(`no owner is known for ${copy.type.type}`);
  let after = '';
  for (let next: string | null = null; ; ) {
    options.signal.throwIfAborted();
    const page = await owner.page(copy.type.type, next, options.signal);
    const { pending, poison, ids } = readPage(copy, page.snapshots, endSeq);
    const upTo = page.next === null ? null : (ids.at(-1) ?? null);
    const bad = await writeStep(options, {
      pending,
      poison,
      from: claim,
      to: claim,
      keeps: 'owners',
    });
    if (bad.length > 0) options.onPoison(bad);
    await options.db.transaction(async (tx) => {
      await options.queries.move(tx, claim, claim);
      await copy.deleteOthers(tx, after, upTo, ids);
    });
    if (upTo === null) return;
    after = upTo;
    next = page.next;
  }
}

/** What of a page can be kept; what cannot keeps the place of its record, so that this is not deleted. */
function readPage(copy: Copy, parts: readonly unknown[], seq: number) {
  const pending: Pending[] = [];
  const poison: Poison[] = [];
  const ids: string[] = [];
  for (const part of parts) {
    const { aggregateId } = part as { aggregateId?: unknown };
    if (typeof aggregateId === 'string') ids.push(aggregateId);
    const index = indexInResync(copy, String(aggregateId));
    const { snapshot, error } = readSnapshot(copy, part);
    if (snapshot) pending.push({ copy, seq, index, snapshot });
    else poison.push({ seq, index, body: JSON.stringify(part), error, reason: error });
  }
  return { pending, poison, ids };
}

/** Below zero, where no place in a message is; the same for the same record. */
function indexInResync(copy: Copy, aggregateId: string): number {
  let hash = 7;
  for (const character of `${copy.type.type} ${aggregateId}`) {
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  }
  return -2 - (hash & 0x3fffffff);
}

async function endOf({ manager }: Stream): Promise<Omit<PositionRow, 'shape'>> {
  const { state, created } = await manager.streams.info(streamName);
  const last =
    state.last_seq > 0
      ? await manager.streams.getMessage(streamName, { seq: state.last_seq })
      : null;
  return { seq: state.last_seq, incarnation: created, anchor: last ? anchorOf(last.string()) : '' };
}
