import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Reconciliation } from './reconciliation.entity.ts';

const columns = columnsOf(Reconciliation, 'r');

export type ReconciliationRow = RowOf<typeof columns>;

/** An account, and a day to reconcile. */
export interface DueDay {
  provider: string;
  businessUnitId: string | null;
  day: string;
}

// A closed day of an account is due when the next day is closed too: a movement can be posted on
// the day after that of the provider. An account that was disconnected owes no later days.
const accounts = `(
     select $1::text as provider, null::text as unit_id, '' as first, '9999-12-31' as last
     union all
     select a.provider || '/' || a.id, a.business_unit_id, to_char(a.connected_at at time zone 'UTC', 'YYYY-MM-DD'),
       coalesce(to_char(a.disconnected_at at time zone 'UTC', 'YYYY-MM-DD'), '9999-12-31')
     from commerce.payment_account a where a.provider = $1 and (a.connected_at is not null) is true
   ) x`;

const due = statement<DueDay>(
  'reconciliation_due',
  `select distinct on (x.provider) x.provider, x.unit_id as "businessUnitId", d.day
   from ${accounts}
   join commerce.journal_day d on d.day between x.first and x.last
   where d.day >= $2 and d.day < (select n.day from commerce.journal_day n order by n.day desc limit 1)
     and not exists (select from commerce.reconciliation r where r.provider = x.provider and r.day = d.day)
   order by x.provider, d.day`,
);

/** The oldest day from `from` on that each account of a provider has not reconciled. */
export const findDueDays = (db: Db, provider: string, from: string): Promise<DueDay[]> =>
  db.query(due, [provider, from]);

const ofUnit = statement<Omit<DueDay, 'day'>>(
  'reconciliation_accounts',
  `select x.provider, x.unit_id as "businessUnitId" from ${accounts}
   where $2 between x.first and x.last and ($3::text is null or x.unit_id = $3) order by 1`,
);

/** The accounts that a day can be reconciled of, of one unit or all with null. */
export const findAccountsOn = (
  db: Db,
  provider: string,
  day: string,
  businessUnitId: string | null,
): Promise<Omit<DueDay, 'day'>[]> => db.query(ofUnit, [provider, day, businessUnitId]);

const store = statement(
  'reconciliation_store',
  `insert into commerce.reconciliation (provider, day, business_unit_id, ran_at, compared, differences, listed)
   values ($1, $2, $3, clock_timestamp(), $4, $5, $6::jsonb)
   on conflict (provider, day) do update set ran_at = excluded.ran_at, compared = excluded.compared,
     differences = excluded.differences, listed = excluded.listed`,
);

/** Stores the reconciliation of a day, in the place of an earlier one. */
export const storeReconciliation = (db: Db | Tx, row: Omit<ReconciliationRow, 'ranAt'>) =>
  db.query(store, [
    row.provider,
    row.day,
    row.businessUnitId,
    row.compared,
    row.differences,
    JSON.stringify(row.listed),
  ]);

const page = (name: string, where: string) =>
  statement<ReconciliationRow>(
    name,
    `select ${columns.sql} from commerce.reconciliation r
     where ${where} and (r.day, r.provider) < ($1, $2) and r.day >= $3 and (not $4 or r.differences > 0)
     order by r.day desc, r.provider desc limit $5`,
  );
const pageOfAll = page('reconciliations_of_all', 'true');
const pageOfUnit = page('reconciliations_of_unit', 'r.business_unit_id = $6');

export interface ReconciliationFilter {
  businessUnitId?: string | undefined;
  from?: string | undefined;
  onlyDifferent: boolean;
}

/** Returns reconciliations, newest day first, and one more than `limit` if there are more. */
export function listReconciliations(
  db: Db,
  { businessUnitId, from = '', onlyDifferent }: ReconciliationFilter,
  after: readonly [day: string, provider: string] | null,
  limit: number,
): Promise<ReconciliationRow[]> {
  const values = [...(after ?? ['9999-12-31', '']), from, onlyDifferent, limit + 1];
  return businessUnitId === undefined
    ? db.query(pageOfAll, values)
    : db.query(pageOfUnit, [...values, businessUnitId]);
}

export interface ReconciliationStats {
  /** Differences of the days of the last week. */
  differences: number;
  /** Seconds since the end of the last day that the account of the platform has reconciled. */
  ageSeconds: number;
}

const stats = statement<ReconciliationStats>(
  'reconciliation_stats',
  `select (select coalesce(sum(r.differences), 0)::int from commerce.reconciliation r
      where r.day >= to_char((clock_timestamp() - interval '7 days') at time zone 'UTC', 'YYYY-MM-DD')) as differences,
     coalesce(greatest(0, extract(epoch from clock_timestamp() - (x.day + 1)::timestamp at time zone 'UTC')), 0)::float8 as "ageSeconds"
   from (select coalesce(
     (select r.day::date from commerce.reconciliation r where r.provider = $1 order by r.day desc limit 1),
     (select (j.posted_at at time zone 'UTC')::date from commerce.journal_entry j order by j.posted_at limit 1)
   ) as day) x`,
);

/** What the metrics of the reconciliation show. */
export async function readReconciliationStats(
  db: Db,
  provider: string,
): Promise<ReconciliationStats> {
  const [row] = await db.query(stats, [provider]);
  return row ?? { differences: 0, ageSeconds: 0 };
}
