import type { Origin } from '@event-api/contracts/messages/snapshot';
import { streamName } from '@event-api/contracts/messages/snapshot';
import type { Stream } from '../bus/connect.ts';
import type { Database } from '../db/database.ts';
import { anchorOf } from './apply.ts';
import type { Copy } from './copy.ts';
import type { SnapshotOwner } from './owner.ts';
import type { PositionRow } from './position.ts';
import type { ProjectionQueries } from './queries.ts';

/**
 * Makes every copy anew from its owner: the one repair for whatever a stream has lost.
 *
 * The stream's end is noted first; then each owner's records are paged through, written by version,
 * and what the owner no longer has is deleted; reading goes on from the noted end. Each page moves the
 * fence, so that two of these cannot mix. Errors: 503 when an owner is away, `Fenced`.
 */
export async function resync(options: {
  db: Database;
  stream: Stream;
  copies: readonly Copy[];
  owners: Partial<Record<Origin, SnapshotOwner>>;
  queries: ProjectionQueries;
  from: PositionRow;
  shape: string;
}): Promise<PositionRow> {
  const { db, stream, copies, owners, queries, from, shape } = options;
  const end = await endOf(stream);
  for (const copy of copies) {
    const owner = owners[copy.type.origin];
    if (!owner) throw new Error(`no owner is known for ${copy.type.type}`);
    let after = '';
    for (let next: string | null = null; ; ) {
      const page = await owner.page(copy.type.type, next);
      const upTo = page.next === null ? null : (page.snapshots.at(-1)?.aggregateId ?? null);
      await db.transaction(async (tx) => {
        await queries.move(tx, from, from);
        await copy.upsert(tx, page.snapshots);
        const kept = page.snapshots.map(({ aggregateId }) => aggregateId);
        await copy.deleteOthers(tx, after, upTo, kept);
      });
      if (page.next === null || upTo === null) break;
      after = upTo;
      next = page.next;
    }
  }
  const to = { ...end, shape };
  await db.transaction((tx) => queries.move(tx, from, to));
  return to;
}

async function endOf({ manager, incarnation }: Stream): Promise<Omit<PositionRow, 'shape'>> {
  const { state } = await manager.streams.info(streamName);
  const last = await manager.streams
    .getMessage(streamName, { seq: state.last_seq })
    .catch(() => null);
  return { seq: state.last_seq, incarnation, anchor: last ? anchorOf(last.string()) : '' };
}
