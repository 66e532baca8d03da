import type { JournalAccount } from '@event-api/contracts/operator/ledger';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { JournalEntry } from './journal-entry.entity.ts';

/** Entries of a business unit, from `from` on and before `before`. */
export interface LedgerFilter {
  businessUnitId: string;
  from?: Date | undefined;
  before?: Date | undefined;
}

const columns = columnsOf(JournalEntry, 'j', { omit: ['businessUnitId'] });

export type JournalRow = RowOf<typeof columns>;

const inPeriod = `j.business_unit_id = $1 and j.posted_at >= $2 and j.posted_at < $3`;

const valuesOf = ({ businessUnitId, from, before }: LedgerFilter) => [
  businessUnitId,
  from ?? '-infinity',
  before ?? 'infinity',
];

export interface AccountSums {
  account: JournalAccount;
  currency: string;
  debit: number;
  credit: number;
  balance: number;
}

const sums = statement<AccountSums>(
  'journal_sums',
  `select x.account, x.currency, sum(x.debit)::bigint as debit, sum(x.credit)::bigint as credit,
     sum(x.debit - x.credit)::bigint as balance
   from (
     select j.debit as account, j.currency, j.amount as debit, 0 as credit from commerce.journal_entry j where ${inPeriod}
     union all
     select j.credit, j.currency, 0, j.amount from commerce.journal_entry j where ${inPeriod}
   ) x group by 1, 2 order by 2, 1`,
);

/** The sums of each account and currency that has entries. */
export const sumAccounts = (db: Db, filter: LedgerFilter): Promise<AccountSums[]> =>
  db.query(sums, valuesOf(filter));

const page = statement<JournalRow>(
  'journal_page',
  `select ${columns.sql} from commerce.journal_entry j
   where ${inPeriod} and (j.posted_at, j.position) > ($4, $5)
   order by j.posted_at, j.position limit $6`,
);

/** Returns entries, oldest first, and one more than `limit` if there are more. */
export const listEntries = (
  db: Db,
  filter: LedgerFilter,
  after: readonly [postedAt: string, position: number] | null,
  limit: number,
): Promise<JournalRow[]> =>
  db.query(page, [...valuesOf(filter), ...(after ?? ['-infinity', 0]), limit + 1]);
