import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import {
  keyBefore,
  type ListDefinition,
  latestFirst,
  listStatement,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { statement } from '@event-api/platform/db/statement';
import { latestFirstKey } from '@event-api/platform/http/list-page';
import {
  filterConditions,
  isExpiredHold,
  type OrderFilters,
  type OrderRow,
  selectOrders,
} from './orders.queries.ts';

type Filter = 'email' | 'status' | 'expired' | 'refundDue' | 'disputed' | 'from' | 'before';

const list: ListDefinition<OrderRow, Filter> = {
  name: 'orders',
  select: selectOrders('now()'),
  scope: ['o.business_unit_id = $1', 'o.event_id = $2'],
  filters: {
    email: (email) => `lower(o.email collate "C") = ${email}`,
    status: (status) => `o.status = ${status} and ${filterConditions.status(status)}`,
    expired: filterConditions.status,
    // Few orders are owed money: `refund_owed` finds them, however many orders the event has.
    refundDue: (
      value,
    ) => `${value}::boolean and o.id = any(array(select r.order_id from commerce.refund r
      where r.business_unit_id = $1 and r.event_id = $2 and r.state in ('due', 'pending')))`,
    // Few orders are disputed: `dispute_of_event` finds them.
    disputed: (
      value,
    ) => `${value}::boolean and o.id = any(array(select d.order_id from commerce.dispute d
      where d.business_unit_id = $1 and d.event_id = $2 and d.order_id is not null and d.status <> 'won'))`,
    from: filterConditions.from,
    before: filterConditions.before,
  },
};

/**
 * The sort key of the default order, newest first. The id is the tie-breaker within a millisecond.
 */
export const newestOrdersKey = latestFirstKey<OrderRow>(({ placedAt }) => placedAt);

const ofDisputes = { filters: ['disputed'], scoped: false } as const;
const ofRefunds = { filters: ['refundDue'], scoped: false } as const;

// `customer_order_newest`, `customer_order_of_email`, `customer_order_by_status`
const own = latestFirst<Filter>('', 'o.placed_at', 'o.id', [
  ofDisputes,
  ofRefunds,
  { filters: ['email'] },
  { filters: ['status'] },
]);

const orders = { own, changes: oldestChangeFirst<Filter>('o', [ofDisputes, ofRefunds]) };

// Two stored statuses read as expired. Each part is read in order from `customer_order_by_status`.
const part = (condition: string) => `(select o.id, o.placed_at from commerce.customer_order o
   where o.business_unit_id = $1 and o.event_id = $2 and ${condition} and ${own.after('$3', '$4')}
     and o.placed_at >= $6::timestamptz
   order by ${own.by} limit $5)`;

const expiredOrders = statement<OrderRow>(
  'orders_expired_newest',
  `with found as materialized (
     select id from (${part("o.status = 'expired'")} union all ${part(isExpiredHold)}) o
     order by ${own.by} limit $5
   )
   ${selectOrders('now()')} where o.id in (select id from found) order by ${own.by}`,
);

/** Returns up to `limit` + 1 orders of an event that match every filter. */
export function listOrders(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: { filters: OrderFilters; after: readonly unknown[]; limit: number },
): Promise<OrderRow[]> {
  const scope = [businessUnitId, eventId];
  const { status, before, ...others } = page.filters;
  const isOwn = order === 'own';
  // In this order they begin at `before`.
  const after = isOwn ? keyBefore(page.after, before) : page.after;
  const isOfIndex =
    others.email === undefined && others.refundDue === undefined && others.disputed === undefined;
  if (isOwn && status === 'expired' && isOfIndex) {
    const from = others.from ?? '-infinity';
    return db.query(expiredOrders, [...scope, ...after, page.limit + 1, from]);
  }
  const filters = {
    ...others,
    [status === 'expired' ? 'expired' : 'status']: status,
    before: isOwn ? undefined : before,
  };
  return db.query(
    ...listStatement(list, orders[order], { scope, filters, after, limit: page.limit }),
  );
}
