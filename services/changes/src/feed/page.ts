import type { ChangeType } from '@event-api/contracts/changes';
import { limits } from '@event-api/contracts/http/fields';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { cursorExpired, cursorOfAnotherUnit, feedReset, invalidCursor } from '../errors.ts';
import { type CursorPosition, decideStart, encodeCursor, isSameHistory } from './cursor.ts';
import { FeedChange } from './feed.entity.ts';
import { type HeadRow, isEpochOfOtherUnit, readHead } from './feed.queries.ts';

export interface FeedFilter {
  types?: readonly ChangeType[] | undefined;
  eventId?: string | undefined;
}

/** A page of the feed. */
export interface FeedPage {
  /** The changes as JSON texts. */
  entries: string[];
  nextCursor: string;
  /** The digest at `nextCursor`; null with a filter. */
  digest: string | null;
}

const columns = columnsOf(FeedChange, 'c', { only: ['sequence', 'digest', 'entry'] });
type EntryRow = RowOf<typeof columns>;

const inUnit = 'business_unit_id = $1 and sequence > $2 and sequence <= $3';

const all = statement<EntryRow>(
  'feed_page',
  `select ${columns.sql} from changes.feed_change c where ${inUnit} order by sequence limit $4`,
);
// `is true` keeps the planner on the index in the order of the page.
const ofTypes = statement<EntryRow>(
  'feed_page_of_types',
  `select ${columns.sql} from changes.feed_change c where ${inUnit} and (type = any($5)) is true order by sequence limit $4`,
);
const ofEvent = statement<EntryRow>(
  'feed_page_of_event',
  `select ${columns.sql} from changes.feed_change c
   where ${inUnit} and event_id = $5 and ($6::text[] is null or type = any($6)) is true order by sequence limit $4`,
);

const digestAt = statement<{ digest: string }>(
  'feed_digest_at',
  'select digest from changes.feed_change where business_unit_id = $1 and sequence = $2',
);

/**
 * Reads a page of the feed of a business unit. With a filter, `nextCursor` moves beyond changes
 * that do not match, once the page contains all that do. Errors: 400 for a malformed cursor and for
 * one of another business unit; 412 `FEED_RESET`, `CURSOR_EXPIRED`.
 */
export async function readPage(
  db: Db,
  businessUnitId: string,
  {
    after,
    limit = limits.pageRows,
    types,
    eventId,
  }: FeedFilter & { after?: string | undefined; limit?: number | undefined },
): Promise<FeedPage> {
  const head = await readHead(db, businessUnitId);
  const start = decideStart(after, head);
  switch (start.outcome) {
    case 'invalid':
      throw invalidCursor();
    case 'other_epoch':
      throw (await isEpochOfOtherUnit(db, businessUnitId, start.epoch))
        ? cursorOfAnotherUnit()
        : feedReset();
    case 'reset':
      throw feedReset();
    case 'expired':
      throw cursorExpired();
    case 'read': {
      const [page, isSame] = await Promise.all([
        pageOf(db, head, start.after, limit, { types, eventId }),
        start.cursor === null || hasHistory(db, head, start.cursor),
      ]);
      if (!isSame) throw feedReset();
      return page;
    }
  }
}

/** Whether the client of a cursor has read the history that the feed has up to there. */
async function hasHistory(db: Db, head: HeadRow, cursor: CursorPosition): Promise<boolean> {
  if (cursor.sequence === head.sequence) return isSameHistory(cursor, head.digest);
  const [row] = await db.query(digestAt, [head.businessUnitId, cursor.sequence]);
  return isSameHistory(cursor, row?.digest);
}

async function pageOf(
  db: Db,
  head: HeadRow,
  after: number,
  limit: number,
  { types, eventId }: FeedFilter,
): Promise<FeedPage> {
  const range = [head.businessUnitId, after, head.sequence, limit];
  const rows = await (eventId !== undefined
    ? db.query(ofEvent, [...range, eventId, types ?? null])
    : types
      ? db.query(ofTypes, [...range, types])
      : db.query(all, range));
  const isFiltered = types !== undefined || eventId !== undefined;
  const last = rows.at(-1);
  const isComplete = rows.length < limit;
  const sequence = isComplete ? head.sequence : (last?.sequence ?? after);
  const digest = isComplete ? head.digest : (last?.digest ?? head.digest);
  return {
    entries: rows.map(({ entry }) => entry),
    nextCursor: encodeCursor({ epoch: head.epoch, sequence, digest }),
    digest: isFiltered ? null : digest,
  };
}
