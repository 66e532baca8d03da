import { randomUUID } from 'node:crypto';
import type { ChangeType } from '@event-api/contracts/changes';
import { firstDigest } from '@event-api/contracts/http/change-digest';
import type { ChangeOwner } from '@event-api/contracts/topology';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { FeedChange, FeedHead } from './feed.entity.ts';

const headColumns = columnsOf(FeedHead, 'h');

/** The end of the feed of a business unit. */
export type HeadRow = RowOf<typeof headColumns>;

const createHeads = statement(
  'feed_create_heads',
  `insert into changes.feed_head (business_unit_id, epoch, sequence, digest, floor)
   select unit, epoch, 0, digest, 0 from unnest($1::text[], $2::text[], $3::text[]) x(unit, epoch, digest)
   order by unit on conflict do nothing`,
);

const newEpochs = (units: readonly string[]): string[] => units.map(() => randomUUID());

/** Creates the feeds of business units that have none, each with an epoch of its own. */
export async function createMissingHeads(db: Db, units: readonly string[]): Promise<void> {
  const epochs = newEpochs(units);
  await db.query(createHeads, [units, epochs, epochs.map(firstDigest)]);
}

const headOf = statement<HeadRow>(
  'feed_head',
  `select ${headColumns.sql} from changes.feed_head h where h.business_unit_id = $1`,
);

/** The end of the feed of a business unit. A unit without changes gets an empty feed. */
export async function readHead(db: Db, businessUnitId: string): Promise<HeadRow> {
  const [head] = await db.query(headOf, [businessUnitId]);
  if (head) return head;
  await createMissingHeads(db, [businessUnitId]);
  const [created] = await db.query(headOf, [businessUnitId]);
  if (!created) throw new Error('failed to create a feed');
  return created;
}

const ownedByOther = statement<{ found: boolean }>(
  'feed_epoch_of_other_unit',
  `select exists(
     select 1 from changes.feed_head where epoch = $2 and business_unit_id <> $1
   ) as found`,
);

/** Whether an epoch is that of the feed of another business unit. */
export const isEpochOfOtherUnit = async (
  db: Db,
  businessUnitId: string,
  epoch: string,
): Promise<boolean> => (await db.query(ownedByOther, [businessUnitId, epoch]))[0]?.found ?? false;

// In the order of the units, so that two processes cannot deadlock.
const lockAll = statement<HeadRow>(
  'feed_lock_heads',
  `select ${headColumns.sql} from changes.feed_head h where h.business_unit_id = any($1)
   order by h.business_unit_id for update`,
);

/** Locks the ends of feeds that exist. */
export const lockHeads = (tx: Tx, units: readonly string[]): Promise<HeadRow[]> =>
  tx.query(lockAll, [units]);

/** Locks the ends of feeds. A unit without changes gets an empty feed. */
export async function lockOrCreateHeads(tx: Tx, units: readonly string[]): Promise<HeadRow[]> {
  const heads = await lockHeads(tx, units);
  if (heads.length === units.length) return heads;
  await createMissingHeads(tx, units);
  return lockHeads(tx, units);
}

const updateHeads = statement(
  'feed_write_heads',
  `update changes.feed_head h set epoch = x.epoch, sequence = x.sequence, digest = x.digest, floor = x.floor
   from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) x(unit, epoch, sequence, digest, floor)
   where h.business_unit_id = x.unit`,
);

/** Sends the ends of feeds, which must be locked. */
export const writeHeads = (tx: Tx, heads: readonly HeadRow[]): void =>
  tx.send(
    updateHeads,
    [
      heads.map(({ businessUnitId }) => businessUnitId),
      heads.map(({ epoch }) => epoch),
      heads.map(({ sequence }) => sequence),
      heads.map(({ digest }) => digest),
      heads.map(({ floor }) => floor),
    ],
    () => {},
  );

const cursorOf = statement<{ number: number }>(
  'owner_cursor',
  'select number from changes.owner_cursor where owner = $1',
);

/** The number of the last change of an owner's log that the feed contains. */
export async function readOwnerCursor(db: Db, owner: ChangeOwner): Promise<number> {
  const [row] = await db.query(cursorOf, [owner]);
  return row?.number ?? 0;
}

const moveCursor = statement<{ owner: string }>(
  'owner_cursor_move',
  'update changes.owner_cursor set number = $3 where owner = $1 and number = $2 returning owner',
);

/**
 * Moves the cursor of an owner from one number to another. Returns false if another process has
 * moved it: the changes in between are in the feed. Locks: the cursor.
 */
export async function moveOwnerCursor(
  tx: Tx,
  owner: ChangeOwner,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  return (await tx.query(moveCursor, [owner, from, to])).length > 0;
}

/** A change to add to the feed. */
export interface NewFeedChange {
  businessUnitId: string;
  sequence: number;
  id: string;
  type: ChangeType;
  eventId: string | null;
  objectId: string;
  number: number;
  occurredAt: string;
  digest: string;
  entry: string;
}

const lockLineage = statement<{ lineage: string }>(
  'owner_lineage_lock',
  'select lineage from changes.owner_lineage where owner = $1 for update',
);

const writeLineage = statement(
  'owner_lineage_write',
  `insert into changes.owner_lineage (owner, lineage) values ($1, $2)
   on conflict (owner) do update set lineage = excluded.lineage`,
);

/**
 * Stores the lineage of an owner's database and returns the one before, or null. Locks: the row.
 */
export async function replaceLineage(
  tx: Tx,
  owner: ChangeOwner,
  lineage: string,
): Promise<string | null> {
  const [before] = await tx.query(lockLineage, [owner]);
  if (before?.lineage !== lineage) await tx.query(writeLineage, [owner, lineage]);
  return before?.lineage ?? null;
}

const unitOfHead = columnsOf(FeedHead, 'h', { only: ['businessUnitId'] });

const allUnits = statement<RowOf<typeof unitOfHead>>(
  'feed_units',
  `select ${unitOfHead.sql} from changes.feed_head h order by 1`,
);

/** All business units with a feed. */
export async function findUnits(tx: Tx): Promise<string[]> {
  return (await tx.query(allUnits)).map(({ businessUnitId }) => businessUnitId);
}

const insert = statement(
  'feed_insert',
  `insert into changes.feed_change (business_unit_id, sequence, id, type, event_id, object_id, owner, number, occurred_at, digest, entry)
   select unit, sequence, id, type, event, object, $1, number, occurred_at, digest, entry
   from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::timestamptz[],
     $10::text[], $11::text[])
     x(unit, sequence, id, type, event, object, number, occurred_at, digest, entry)`,
);

/**
 * Sends the insert of changes. `changes` is the owner of the changes of this service's own records.
 */
export const insertChanges = (
  tx: Tx,
  owner: ChangeOwner | 'changes',
  changes: readonly NewFeedChange[],
): void =>
  tx.send(
    insert,
    [
      owner,
      changes.map(({ businessUnitId }) => businessUnitId),
      changes.map(({ sequence }) => sequence),
      changes.map(({ id }) => id),
      changes.map(({ type }) => type),
      changes.map(({ eventId }) => eventId),
      changes.map(({ objectId }) => objectId),
      changes.map(({ number }) => number),
      changes.map(({ occurredAt }) => occurredAt),
      changes.map(({ digest }) => digest),
      changes.map(({ entry }) => entry),
    ],
    () => {},
  );

const unitOfChange = columnsOf(FeedChange, 'c', { only: ['businessUnitId'] });

const unitsAbove = statement<RowOf<typeof unitOfChange>>(
  'feed_units_above',
  `select distinct ${unitOfChange.sql} from changes.feed_change c where c.owner = $1 and c.number > $2`,
);

/** The business units whose feed contains changes of an owner above a number. */
export async function findUnitsAbove(
  tx: Tx,
  owner: ChangeOwner,
  number: number,
): Promise<string[]> {
  const rows = await tx.query(unitsAbove, [owner, number]);
  return rows.map(({ businessUnitId }) => businessUnitId);
}

const sequenceOfId = statement<{ sequence: number }>(
  'feed_sequence_of_change',
  'select sequence from changes.feed_change where business_unit_id = $1 and id = $2',
);

/**
 * The sequence of a change in the feed of a business unit; null if the feed does not contain it.
 */
export async function findSequence(
  db: Db,
  businessUnitId: string,
  changeId: string,
): Promise<number | null> {
  const [row] = await db.query(sequenceOfId, [businessUnitId, changeId]);
  return row?.sequence ?? null;
}

// The index `feed_change_of_object` has the order of the page.
const ofObject = statement<{ sequence: number; entry: string }>(
  'feed_changes_of_object',
  `select c.sequence, c.entry from changes.feed_change c
   join changes.feed_head h on h.business_unit_id = c.business_unit_id
   where c.business_unit_id = $1 and c.object_id = $2 and c.sequence > h.floor and c.sequence < $3
   order by c.sequence desc limit $4`,
);

/** Up to `limit` + 1 changes of a record of the present epoch, newest first, before a sequence. */
export const findChangesOfObject = (
  db: Db,
  businessUnitId: string,
  objectId: string,
  { before, limit }: { before: number; limit: number },
): Promise<{ sequence: number; entry: string }[]> =>
  db.query(ofObject, [businessUnitId, objectId, before, limit + 1]);
