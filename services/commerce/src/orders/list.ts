import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import {
  type ListDefinition,
  type ListOrder,
  listStatement,
  oldestChangeFirst,
} from '@event-api/platform/db/list';
import { statement } from '@event-api/platform/db/statement';
import type { OwnOrder } from '@event-api/platform/http/list-page';
import { type OrderRow, selectOrders } from './queries.ts';

// Same rule as `effectiveStatus` in `rules.ts`.
const isExpiredHold = `o.status = 'held' and o.hold_expires_at <= now() and o.intent is null and o.settlement_id is null`;
const effectiveStatus = `case when ${isExpiredHold} then 'expired' else o.status end`;

type Filter = 'email' | 'status' | 'expired';

const list: ListDefinition<OrderRow, Filter> = {
  name: 'orders',
  select: selectOrders('now()'),
  scope: ['o.business_unit_id = $1', 'o.event_id = $2'],
  filters: {
    email: (email) => `lower(o.email collate "C") = ${email}`,
    status: (status) => `o.status = ${status} and ${effectiveStatus} = ${status}`,
    expired: (status) => `${effectiveStatus} = ${status}`,
  },
};

const afterNewest = (placedAt: string, id: string) =>
  `(o.placed_at, o.id) < (${placedAt}::timestamptz, ${id}::text)`;
const newestFirst = 'o.placed_at desc, o.id desc';

/**
 * The sort key of the default order, newest first. The id is the tie-breaker within a millisecond.
 */
export const newestOrdersKey: OwnOrder<OrderRow> = {
  keyTypes: ['instant', 'string'],
  keyOf: ({ placedAt, id }) => [placedAt.toISOString(), id],
  start: ['infinity', ''],
};

// `customer_order_newest`, `customer_order_of_email`, `customer_order_by_status`
const own: ListOrder<Filter> = {
  name: '',
  after: afterNewest,
  by: newestFirst,
  indexes: [{ filters: ['email'] }, { filters: ['status'] }],
};

const orders = { own, changes: oldestChangeFirst<Filter>('o') };

// Two stored statuses read as expired. Each part is read in order from `customer_order_by_status`.
const part = (condition: string) => `(select o.id, o.placed_at from commerce.customer_order o
   where o.business_unit_id = $1 and o.event_id = $2 and ${condition} and ${afterNewest('$3', '$4')}
   order by ${newestFirst} limit $5)`;

const expiredOrders = statement<OrderRow>(
  'orders_expired_newest',
  `with found as materialized (
     select id from (${part("o.status = 'expired'")} union all ${part(isExpiredHold)}) o
     order by ${newestFirst} limit $5
   )
   ${selectOrders('now()')} where o.id in (select id from found) order by ${newestFirst}`,
);

export interface OrderFilters {
  email?: string | undefined;
  status?: OrderStatus | undefined;
}

/** Returns up to `limit` + 1 orders of an event that match every filter. */
export function listOrders(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: { filters: OrderFilters; after: readonly unknown[]; limit: number },
): Promise<OrderRow[]> {
  const scope = [businessUnitId, eventId];
  const { email, status } = page.filters;
  if (status !== 'expired') {
    return db.query(...listStatement(list, orders[order], { scope, ...page }));
  }
  if (order === 'own' && email === undefined) {
    return db.query(expiredOrders, [...scope, ...page.after, page.limit + 1]);
  }
  const filters = { email, expired: status };
  return db.query(...listStatement(list, orders[order], { scope, ...page, filters }));
}
