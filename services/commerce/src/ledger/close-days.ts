import { createHash, type Hash } from 'node:crypto';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database, Db } from '@event-api/platform/db/database';
import { timeouts } from '../timeouts.ts';
import {
  findLastHash,
  findNextDay,
  findUnitsOfPeriod,
  hasOldWriters,
  insertClosedDay,
  insertDigest,
} from './closing.queries.ts';
import { lineOf } from './csv.rules.ts';
import { boundsOf, dayOf } from './days.rules.ts';
import { digestText } from './digest-text.rules.ts';
import type { DaySums } from './journal-digest.entity.ts';
import { type JournalRow, listEntries } from './ledger.queries.ts';
import type { LedgerSigner } from './signing-key.ts';

const pageRows = 1000;

export interface ClosingDeps {
  db: Database;
  /** Null without a key: digests are then unsigned. */
  signer: LedgerSigner | null;
}

/**
 * Closes each day of the journal that has ended, oldest first, and stores its digests. The days of
 * a period are closed when no transaction that has begun before its end can add entries: nothing
 * waits for that, the next run closes them. Safe to run in several replicas at once.
 * Returns the closed days. Locks: nothing but the rows that it inserts. Reports: nothing.
 */
export async function closeDays(
  { db, signer }: ClosingDeps,
  now: Date,
  signal?: AbortSignal,
): Promise<string[]> {
  const openDay = dayOf(new Date(now.getTime() - timeouts.journalMarginMs));
  if (await hasOldWriters(db, boundsOf(openDay).from)) return [];
  // Its snapshot is newer than the end of the last old writer.
  const closed: string[] = [];
  while (!signal?.aborted) {
    const day = await findNextDay(db);
    if (day === null || day >= openDay) break;
    if (await closeDay({ db, signer }, day)) closed.push(day);
  }
  return closed;
}

/** Returns false if another replica has closed the day. */
async function closeDay({ db, signer }: ClosingDeps, day: string): Promise<boolean> {
  const { from, before } = boundsOf(day);
  const digests: UnchainedDigest[] = [];
  for (const unitId of await findUnitsOfPeriod(db, from, before)) {
    digests.push(...(await digestsOf(db, unitId, from, before)));
  }
  reachStep('ledger.digested');
  return db.transaction(async (tx) => {
    // Another replica that closes the day waits here until this one commits.
    if (!(await insertClosedDay(tx, day))) return false;
    for (const { businessUnitId, currency, ...sums } of digests) {
      const previousHash = await findLastHash(tx, businessUnitId, currency);
      const { entries, entriesHash, accounts } = sums;
      const facts = { businessUnitId, currency, day, entries, entriesHash, previousHash };
      const text = digestText(facts);
      await insertDigest(tx, {
        ...facts,
        accounts,
        hash: createHash('sha256').update(text).digest('hex'),
        signature: signer?.sign(text) ?? null,
        publicKey: signer?.publicKey ?? null,
      });
    }
    return true;
  });
}

interface UnchainedDigest {
  businessUnitId: string;
  currency: string;
  entries: number;
  entriesHash: string;
  accounts: DaySums[];
}

/** Reads the entries of a unit page by page: a day of a large sale does not fit into memory. */
async function digestsOf(
  db: Db,
  businessUnitId: string,
  from: Date,
  before: Date,
): Promise<UnchainedDigest[]> {
  const ofCurrency = new Map<string, ReturnType<typeof startDigest>>();
  for (let after: readonly [string, number] | null = null; ; ) {
    const filter = { businessUnitId, from, before };
    const rows: JournalRow[] = await listEntries(db, filter, after, pageRows);
    for (const row of rows.slice(0, pageRows)) {
      const digest = ofCurrency.get(row.currency) ?? startDigest();
      ofCurrency.set(row.currency, digest);
      add(digest, row);
      after = [row.postedAt.toISOString(), row.position];
    }
    if (rows.length <= pageRows) break;
  }
  return [...ofCurrency].map(([currency, { hash, entries, accounts }]) => ({
    businessUnitId,
    currency,
    entries,
    entriesHash: hash.digest('hex'),
    accounts: [...accounts.values()].sort((a, b) => (a.account < b.account ? -1 : 1)),
  }));
}

const startDigest = (): { hash: Hash; entries: number; accounts: Map<string, DaySums> } => ({
  hash: createHash('sha256'),
  entries: 0,
  accounts: new Map(),
});

function add(digest: ReturnType<typeof startDigest>, row: JournalRow): void {
  digest.hash.update(lineOf(row));
  digest.entries += 1;
  for (const side of ['debit', 'credit'] as const) {
    const account = row[side];
    const sums = digest.accounts.get(account) ?? { account, debit: 0, credit: 0 };
    sums[side] += row.amount;
    digest.accounts.set(account, sums);
  }
}
