import { maxFound } from '@event-api/contracts/operator/persons';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { type OrderRow, selectOrders } from '../orders/orders.queries.ts';

/** A business unit, and one of its events or null for all. */
export interface SearchScope {
  businessUnitId: string;
  eventId: string | null;
}

const ordersOf = (found: string) => `with found as materialized (${found})
   ${selectOrders('now()')} where o.id in (select id from found) order by o.placed_at desc, o.id desc`;

// One index lookup per event of the unit: `customer_order_of_email`.
const byEmail = statement<OrderRow>(
  'person_orders',
  ordersOf(`select o.id from commerce.event_projection e cross join lateral (
     select o.id, o.placed_at from commerce.customer_order o
     where o.business_unit_id = $1 and o.event_id = e.id and lower(o.email collate "C") = $3
     order by o.placed_at desc, o.id desc limit $4
   ) o where e.business_unit_id = $1 and ($2::text is null or e.id = $2)
   order by o.placed_at desc, o.id desc limit $4`),
);

const ofScope = '(business_unit_id = $1) is true and ($2::text is null or event_id = $2)';

const byNumber = statement<OrderRow>(
  'person_order_of_number',
  ordersOf(`select id from commerce.customer_order where order_number = $3 and ${ofScope}`),
);

const byIds = statement<OrderRow>(
  'person_orders_by_ids',
  ordersOf(`select id from commerce.customer_order where id = any($3) and ${ofScope}`),
);

/**
 * The orders of a normalized email, newest first, and one more than are shown if there are more.
 */
export const findOrdersByEmail = (
  db: Db,
  { businessUnitId, eventId }: SearchScope,
  email: string,
) => db.query(byEmail, [businessUnitId, eventId, email, maxFound + 1]);

/** The order with this number, which is in upper case, or none. */
export const findOrdersByNumber = (
  db: Db,
  { businessUnitId, eventId }: SearchScope,
  orderNumber: string,
) => db.query(byNumber, [businessUnitId, eventId, orderNumber]);

/** Those of these orders that the scope has, newest first. */
export const findOrdersByIds = (
  db: Db,
  { businessUnitId, eventId }: SearchScope,
  ids: readonly string[],
) => db.query(byIds, [businessUnitId, eventId, ids]);
