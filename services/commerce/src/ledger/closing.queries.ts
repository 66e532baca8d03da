import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { JournalDigest } from './journal-digest.entity.ts';

const digestColumns = columnsOf(JournalDigest, 'd');

export type DigestRow = RowOf<typeof digestColumns>;

// A writer holds its lock on the table until its entries are visible, and takes the times of its
// entries after it has begun. A prepared transaction, and one of a role that this one cannot see,
// has no start: it counts as an old one.
const oldWriters = statement<{ exists: boolean }>(
  'journal_old_writers',
  `select exists (
     select from pg_locks l left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'relation' and l.relation = 'commerce.journal_entry'::regclass
       and l.database = (select d.oid from pg_database d where d.datname = current_database())
       and l.mode = 'RowExclusiveLock' and l.granted
       and (a.xact_start is null or a.xact_start < $1)
   ) as "exists"`,
);

/** Whether a transaction that has begun before `before` may still add entries to the journal. */
export async function hasOldWriters(db: Db, before: Date): Promise<boolean> {
  const [row] = await db.query(oldWriters, [before]);
  return row?.exists ?? true;
}

const nextDay = statement<{ day: string | null }>(
  'journal_next_day',
  `select to_char(coalesce(
     (select d.day::date + 1 from commerce.journal_day d order by d.day desc limit 1),
     (select (j.posted_at at time zone 'UTC')::date from commerce.journal_entry j order by j.posted_at limit 1)
   ), 'YYYY-MM-DD') as day`,
);

/** The day after the last closed one, or the day of the first entry; null without entries. */
export async function findNextDay(db: Db): Promise<string | null> {
  const [row] = await db.query(nextDay, []);
  return row?.day ?? null;
}

const lastDay = statement<{ day: string }>(
  'journal_last_day',
  'select d.day from commerce.journal_day d order by d.day desc limit 1',
);

/** The last closed day; null before the first. */
export async function findLastDay(db: Db): Promise<string | null> {
  const [row] = await db.query(lastDay, []);
  return row?.day ?? null;
}

const units = statement<{ businessUnitId: string }>(
  'journal_units_of_day',
  `select distinct j.business_unit_id as "businessUnitId" from commerce.journal_entry j
   where j.posted_at >= $1 and j.posted_at < $2 order by 1`,
);

/** The business units that have entries in a period. */
export const findUnitsOfPeriod = async (db: Db, from: Date, before: Date): Promise<string[]> =>
  (await db.query(units, [from, before])).map(({ businessUnitId }) => businessUnitId);

const insertDay = statement<{ day: string }>(
  'journal_day_insert',
  `insert into commerce.journal_day (day, closed_at) values ($1, clock_timestamp())
   on conflict do nothing returning day`,
);

/** Closes a day. Returns false if it is closed. */
export const insertClosedDay = async (tx: Tx, day: string): Promise<boolean> =>
  (await tx.query(insertDay, [day])).length > 0;

const lastHash = statement<{ hash: string }>(
  'journal_digest_last_hash',
  `select d.hash from commerce.journal_digest d
   where d.business_unit_id = $1 and d.currency = $2 order by d.day desc limit 1`,
);

/** The hash of the last digest of a unit and currency; null before the first. */
export async function findLastHash(
  db: Db,
  businessUnitId: string,
  currency: string,
): Promise<string | null> {
  const [row] = await db.query(lastHash, [businessUnitId, currency]);
  return row?.hash ?? null;
}

const insert = statement(
  'journal_digest_insert',
  `insert into commerce.journal_digest (business_unit_id, currency, day, entries, accounts, entries_hash,
     previous_hash, hash, signature, public_key)
   values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $10)`,
);

export const insertDigest = (tx: Tx, digest: DigestRow) =>
  tx.query(insert, [
    digest.businessUnitId,
    digest.currency,
    digest.day,
    digest.entries,
    JSON.stringify(digest.accounts),
    digest.entriesHash,
    digest.previousHash,
    digest.hash,
    digest.signature,
    digest.publicKey,
  ]);

const page = statement<DigestRow>(
  'journal_digest_page',
  `select ${digestColumns.sql} from commerce.journal_digest d
   where d.business_unit_id = $1 and d.day >= $2 and d.day <= $3 and (d.day, d.currency) > ($4, $5)
   order by d.day, d.currency limit $6`,
);

/** Returns digests of a unit, oldest first, and one more than `limit` if there are more. */
export const listDigests = (
  db: Db,
  businessUnitId: string,
  {
    from = '',
    through = '9999-12-31',
  }: { from?: string | undefined; through?: string | undefined },
  after: readonly [day: string, currency: string] | null,
  limit: number,
): Promise<DigestRow[]> =>
  db.query(page, [businessUnitId, from, through, ...(after ?? ['', '']), limit + 1]);
