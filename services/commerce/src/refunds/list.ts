import type { OwedRefunds, RefundState } from '@event-api/contracts/operator/refunds';
import type { Db } from '@event-api/platform/db/database';
import { keyBefore } from '@event-api/platform/db/list';
import { statement } from '@event-api/platform/db/statement';
import { isOwed, type ListedRefundRow, listedColumns, ofItsOrder } from './refunds.queries.ts';

/** The refunds of an event, of a business unit, or of all units. */
export interface RefundScope {
  businessUnitId?: string | undefined;
  eventId?: string | undefined;
}

/** Filter of a list of refunds. */
export interface RefundFilter extends RefundScope {
  state?: RefundState | undefined;
  onlyOwed?: boolean;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
}

const scopes = {
  ofEvent: (first: number) => `r.business_unit_id = $${first} and r.event_id = $${first + 1}`,
  ofUnit: (first: number) => `r.business_unit_id = $${first}`,
  ofAll: () => 'true',
};

type Scope = keyof typeof scopes;

/** The scope, and the values of its condition. */
function scopeOf({ businessUnitId, eventId }: RefundScope): [Scope, string[]] {
  if (businessUnitId === undefined) return ['ofAll', []];
  return eventId === undefined
    ? ['ofUnit', [businessUnitId]]
    : ['ofEvent', [businessUnitId, eventId]];
}

// One statement per scope, so that each uses its index: refund_newest, refund_newest_of_unit,
// refund_newest_of_all; what is owed uses refund_owed.
const listWhere = (name: string, where: string, owed = isOwed) =>
  statement<ListedRefundRow>(
    name,
    `select ${listedColumns(owed).sql} from commerce.refund r
     where ${where} and ($1::text is null or r.state = $1)
       and (r.created_at, r.id) < ($2, $3) and r.created_at >= $4
     order by r.created_at desc, r.id desc limit $5`,
  );

const lists = {
  ofEvent: listWhere('refunds_of_event', scopes.ofEvent(6)),
  ofUnit: listWhere('refunds_of_unit', scopes.ofUnit(6)),
  ofAll: listWhere('refunds_of_all', scopes.ofAll()),
};

const owedLists = {
  ofEvent: listWhere('refunds_owed_of_event', `${scopes.ofEvent(6)} and ${isOwed}`, 'true'),
  ofUnit: listWhere('refunds_owed_of_unit', `${scopes.ofUnit(6)} and ${isOwed}`, 'true'),
  ofAll: listWhere('refunds_owed_of_all', `${scopes.ofAll()} and ${isOwed}`, 'true'),
};

/** Returns refunds, newest first, and one more than `limit` if there are more. */
export function listNewestRefunds(
  db: Db,
  { state, onlyOwed = false, createdFrom, createdBefore, ...filter }: RefundFilter,
  after: readonly [createdAt: string, id: string] | null,
  limit: number,
): Promise<ListedRefundRow[]> {
  const [scope, ids] = scopeOf(filter);
  const start = keyBefore(after ?? ['infinity', ''], createdBefore);
  const values = [state ?? null, ...start, createdFrom ?? '-infinity', limit + 1, ...ids];
  return db.query((onlyOwed ? owedLists : lists)[scope], values);
}

const sumWhere = (name: string, where: string) =>
  statement<Omit<OwedRefunds, 'oldestAt'> & { oldestAt: Date }>(
    name,
    `select currency, sum(amount)::bigint as amount, count(distinct email)::int as buyers, min(created_at) as "oldestAt",
       (count(*) filter (where state = 'due'))::int as "dueRefunds",
       (count(*) filter (where state = 'pending'))::int as "pendingRefunds",
       (count(*) filter (where state = 'failed'))::int as "failedRefunds"
     from (
       select r.currency, r.state, r.amount, r.created_at, lower(${ofItsOrder('email')} collate "C") as email
       from commerce.refund r where ${where} and ${isOwed}
     ) owed group by currency order by currency`,
  );

const sums = {
  ofEvent: sumWhere('refunds_owed_sum_of_event', scopes.ofEvent(1)),
  ofUnit: sumWhere('refunds_owed_sum_of_unit', scopes.ofUnit(1)),
  ofAll: sumWhere('refunds_owed_sum_of_all', scopes.ofAll()),
};

/** The sums of what is owed, by currency. */
export async function sumOwedRefunds(db: Db, of: RefundScope): Promise<OwedRefunds[]> {
  const [scope, ids] = scopeOf(of);
  const rows = await db.query(sums[scope], ids);
  return rows.map((row) => ({ ...row, oldestAt: row.oldestAt.toISOString() }));
}
