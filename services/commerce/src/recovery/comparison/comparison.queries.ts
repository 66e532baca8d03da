import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { CustomerOrder } from '../../orders/order.entity.ts';
import type { ComparedOrder } from './comparison.rules.ts';

const columns = columnsOf(CustomerOrder, 'o', { only: ['businessUnitId', 'eventId', 'status'] });

/** An order to compare with its registrations. */
export interface ComparedRow
  extends Omit<ComparedOrder, 'unitsLeft' | 'typeChanges'>,
    RowOf<typeof columns> {
  orderId: string;
  hasCancelledAddons: boolean;
  hasChangedTypes: boolean;
}

const select = `select o.id as "orderId", ${columns.sql}, o.revoked_at is not null as "isRevoked", array(
     select x.id from commerce.order_line l cross join lateral unnest(l.registration_ids) x(id)
     where l.order_id = o.id group by x.id order by x.id
   ) as "registrationIds", array(
     select distinct x.id from commerce.refund r cross join lateral unnest(r.registration_ids) x(id)
     where r.order_id = o.id and (r.business_unit_id = o.business_unit_id) is true and r.revokes_seats and r.state = 'done'
     union select x.id from commerce.order_line l cross join lateral unnest(l.registration_ids) with ordinality x(id, n)
     where l.order_id = o.id and l.seat_count > 0 and o.seats->(l.first_seat + x.n::int - 1) @> '{"isCancelled": true}'
     union select unnest(o.cancelled_seat_ids) order by 1
   ) as "revokedIds", array(
     select distinct x.id from commerce.refund r cross join lateral unnest(r.registration_ids) x(id)
     where r.order_id = o.id and (r.business_unit_id = o.business_unit_id) is true and not r.revokes_seats and r.state = 'done'
       and not exists (select from commerce.refund a where a.order_id = o.id and a.requested_extent = 'all' and a.state = 'done')
     order by x.id
   ) as "retainedIds", jsonb_array_length(o.cancelled_addons) > 0 as "hasCancelledAddons",
   o.seats @> '[{"changedTo": {}}]' as "hasChangedTypes"
   from commerce.customer_order o`;

const page = statement<ComparedRow>(
  'orders_compared',
  `${select} where o.id > $2 and ($1::text is null or o.business_unit_id = $1) order by o.id limit $3`,
);

/** The orders after an id, of one business unit, or of all with null. */
export const findComparedOrders = (
  db: Db,
  businessUnitId: string | null,
  { after, limit }: { after: string; limit: number },
): Promise<ComparedRow[]> => db.query(page, [businessUnitId, after, limit]);

const ofIds = statement<ComparedRow>('orders_compared_of_ids', `${select} where o.id = any($1)`);

export const findComparedOrdersOfIds = async (
  db: Db,
  ids: readonly string[],
): Promise<ComparedRow[]> => (ids.length === 0 ? [] : db.query(ofIds, [ids]));

const restore = statement(
  'orders_restore_seats',
  `update commerce.customer_order set intent = 'restore' where id = any($1) and status = 'paid' and intent is null`,
);

/** Lets the sweep create the seats of paid orders again. */
export const restoreSeatsOfOrders = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.query(restore, [ids]);
};

const revoke = statement(
  'orders_revoke_again',
  `update commerce.customer_order set revoked_at = case when status = 'refunded' then null else revoked_at end,
     intent = case when status = 'cancelled' then 'release' else intent end
   where id = any($1) and revoked_at is not null and status in ('refunded', 'cancelled')`,
);

/** Lets the sweep revoke what refunded and cancelled orders have created. */
export const revokeOrdersAgain = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.query(revoke, [ids]);
};
