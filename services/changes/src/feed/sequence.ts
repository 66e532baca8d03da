import { randomUUID } from 'node:crypto';
import { firstDigest, nextDigest } from '@event-api/contracts/http/change-digest';
import type { Change } from '@event-api/contracts/http/changes';
import type { NumberedChange } from '@event-api/contracts/internal/changes';
import type { ChangeOwner } from '@event-api/contracts/topology';
import type { Database, Tx } from '@event-api/platform/db/database';
import {
  findUnits,
  findUnitsAbove,
  type HeadRow,
  insertChanges,
  lockHeads,
  lockOrCreateHeads,
  moveOwnerCursor,
  type NewFeedChange,
  replaceLineage,
  writeHeads,
} from './feed.queries.ts';

/**
 * Adds a page of an owner's log to the feeds of its business units, in its order. The page must
 * start after `after`. Returns the units with new changes; none if another process has added the
 * page.
 *
 * Two processes, a crash or a repeat cannot leave a gap or add a change twice: the cursor of the
 * owner moves in the same commit. Locks: the cursor of the owner, then the ends of the feeds in the
 * order of their units.
 */
export async function addToFeed(
  db: Database,
  owner: ChangeOwner,
  after: number,
  page: readonly NumberedChange[],
): Promise<string[]> {
  const last = page.at(-1);
  if (!last) return [];
  const units = [...new Set(page.map(({ businessUnitId }) => businessUnitId))];
  return db.transaction(async (tx) => {
    const [isMoved, existing] = await Promise.all([
      moveOwnerCursor(tx, owner, { from: after, to: last.number }),
      lockHeads(tx, units),
    ]);
    if (!isMoved) return [];
    const heads = existing.length < units.length ? await lockOrCreateHeads(tx, units) : existing;
    const { changes, moved } = assignSequences(heads, page);
    insertChanges(tx, owner, changes);
    writeHeads(tx, moved);
    return units;
  });
}

/** Gives each change the next sequence of its business unit, and extends the digest. */
export function assignSequences(
  heads: readonly HeadRow[],
  page: readonly NumberedChange[],
): { changes: NewFeedChange[]; moved: HeadRow[] } {
  const ends = new Map(heads.map((head) => [head.businessUnitId, head]));
  const changes = page.map(({ businessUnitId, number, occurredAt, change }) => {
    const head = ends.get(businessUnitId);
    if (!head) throw new Error('a change of a business unit without a feed');
    const sequence = head.sequence + 1;
    const { id, type, eventId, object, previous, current, actor } = change;
    const entry: Change = {
      id,
      sequence,
      type,
      occurredAt,
      eventId,
      object,
      previous,
      current,
      actor,
    };
    const digest = nextDigest(head.digest, entry);
    ends.set(businessUnitId, { ...head, sequence, digest });
    return {
      ...{
        businessUnitId,
        sequence,
        id,
        type,
        eventId,
        objectId: object.id,
        number,
        occurredAt,
        digest,
      },
      entry: JSON.stringify(entry),
    };
  });
  return { changes, moved: [...ends.values()] };
}

/**
 * Continues with the log of an owner whose database was restored to an earlier state and now ends
 * at `last`. Every business unit whose feed contains changes that the owner has lost gets a new
 * epoch. Returns these units; none if another process has done it. Locks: as above.
 */
export async function rewindOwner(
  db: Database,
  owner: ChangeOwner,
  { after, last }: { after: number; last: number },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    if (!(await moveOwnerCursor(tx, owner, { from: after, to: last }))) return [];
    const units = await findUnitsAbove(tx, owner, last);
    await beginEpochs(tx, units);
    return units;
  });
}

/**
 * Stores the lineage of a publisher's database. If it has been replaced since it was stored, all
 * feeds begin a new epoch. Returns their units; none at the first time, or if another process has
 * done it. Locks: the lineage, then as above.
 */
export async function followLineage(
  db: Database,
  owner: ChangeOwner,
  lineage: string,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const before = await replaceLineage(tx, owner, lineage);
    if (before === null || before === lineage) return [];
    const units = await findUnits(tx);
    await beginEpochs(tx, units);
    return units;
  });
}

/** Gives feeds a new epoch. Their sequences go on. */
async function beginEpochs(tx: Tx, units: readonly string[]): Promise<void> {
  const heads = await lockHeads(tx, units);
  writeHeads(
    tx,
    heads.map((head) => {
      const epoch = randomUUID();
      return { ...head, epoch, digest: firstDigest(epoch), floor: head.sequence };
    }),
  );
}
