import { normalCode } from '@event-api/contracts/http/fields';
import type { DisputeStatus, OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import { type Columns, columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { AddonChange } from './cancelled-addons.rules.ts';
import { CancelledSeat } from './cancelled-seat.entity.ts';
import { CustomerOrder, OrderLine } from './order.entity.ts';
import type { OrderState } from './orders.rules.ts';
import type { AttemptState } from './payment-attempts.rules.ts';

const columns = columnsOf(CustomerOrder, 'o', { omit: ['lastAttemptAt'] });

/** A cancelled seat, once the policy of the order is applied to it. */
export const cancelledSeat = jsonOf(CancelledSeat, 'c', {
  only: [
    'registrationId',
    'cancelledAt',
    'paidAmount',
    'refundAmount',
    'keptAmount',
    'feeAmount',
    'band',
    'reason',
  ],
});

/** A stored line of an order. */
export const orderLine = jsonOf(OrderLine, 'l', { omit: ['orderId', 'position'] });

export type OrderLineRow = RowOf<typeof orderLine>;

/** A dispute of an order, with the settlement whose payment it is about. */
interface StoredDispute {
  id: string;
  amount: number;
  currency: string;
  status: DisputeStatus;
  reason: string | null;
  respondBy: string | null;
  createdAt: string;
  settlementId: string;
}

/** A settlement that pays for an order, in the currency of the order. */
export interface AcceptedPayment {
  id: string;
  amount: number;
}

interface Computed {
  /** The statuses of its registrations, as far as they are known. */
  registrationStatuses: Record<string, RegistrationStatus>;
  /** The refunded amount, in the currency of the order. */
  refundedAmount: number;
  /** The amounts of due and pending refunds by currency. */
  refundsDue: { currency: string; amount: number }[];
  cancelledSeats: RowOf<typeof cancelledSeat>[];
  /** The executed changes that have cancelled units of its add-ons, oldest first. */
  addonChanges: AddonChange[];
  /** The payments that it has accepted, the newest first. */
  payments: AcceptedPayment[];
  /** The disputes of its payments, oldest first. Instants are ISO 8601 with any offset. */
  disputes: StoredDispute[];
  /** Whether registration decides about other ticket types for its seats: its money waits. */
  isMoving: boolean;
}

export const orderColumns: Columns<RowOf<typeof columns> & Computed> = {
  sql: `${columns.sql},
   (select coalesce(jsonb_object_agg(p.id, p.status), '{}') from commerce.registration_projection p
    where (p.business_unit_id = o.business_unit_id) is true and p.id = any(array(select unnest(l.registration_ids) from commerce.order_line l where l.order_id = o.id)
      || o.addon_registration_id)) as "registrationStatuses",
   (select coalesce(sum(r.amount), 0)::bigint from commerce.refund r
    where r.order_id = o.id and r.currency = o.currency and r.state = 'done') as "refundedAmount",
   (select coalesce(jsonb_agg(jsonb_build_object('currency', d.currency, 'amount', d.amount) order by d.currency), '[]')
    from (select r.currency, sum(r.amount)::bigint as amount from commerce.refund r
      where r.order_id = o.id and r.state in ('due', 'pending') group by 1) d) as "refundsDue",
   (select coalesce(json_agg(${cancelledSeat.sql} order by c.cancelled_at, c.registration_id), '[]')
    from commerce.cancelled_seat c
    where c.order_id = o.id and o.paid_at is not null and c.decided_at is not null) as "cancelledSeats",
   (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'amount', s.amount) order by s.received_at desc, s.id desc), '[]')
    from commerce.settlement s where s.id = any(array(
      select o.settlement_id union all select x.settlement_id from commerce.order_change x
      where x.order_id = o.id and (x.paid_at is not null) is true))) as payments,
   (select coalesce(jsonb_agg(jsonb_build_object('id', d.provider_dispute_id, 'amount', d.amount, 'currency', d.currency, 'status', d.status,
      'reason', d.reason, 'respondBy', d.respond_by, 'createdAt', d.created_at, 'settlementId', d.settlement_id) order by d.created_at, d.provider_dispute_id), '[]')
    from commerce.dispute d where d.order_id = o.id) as disputes,
   (select coalesce(jsonb_agg(jsonb_build_object('executedAt', x.executed_at, 'units', x.request->'cancelAddons', 'lines', x.quote->'lines')
      order by x.executed_at, x.id), '[]') from commerce.order_change x where x.order_id = o.id
      and (x.state in ('executing', 'done')) is true and jsonb_array_length(x.request->'cancelAddons') > 0) as "addonChanges",
   (select count(*) > 0 from commerce.order_change x where x.order_id = o.id and (x.state = 'moving') is true) as "isMoving"`,
};

/** A stored order with its lines and the URL of its payment page. */
export interface OrderRow extends RowOf<typeof orderColumns>, OrderState {
  lines: OrderLineRow[];
  /** The page that can be paid. */
  paymentUrl: string | null;
  /** Payments and declined cards, oldest first. `at` is ISO 8601 with any offset. */
  paymentAttempts: { at: string; state: AttemptState }[];
}

export interface OrderFilters {
  email?: string | undefined;
  status?: OrderStatus | undefined;
  /** Only orders with a due or pending refund, whatever their status. */
  refundDue?: boolean | undefined;
  /** Only orders with a dispute that is not won, whatever their status. */
  disputed?: boolean | undefined;
  /** When they were placed: at `from` or later, and before `before`. */
  from?: Date | undefined;
  before?: Date | undefined;
}

// Same rule as `effectiveStatus` in `orders.rules.ts`.
export const isExpiredHold = `o.status = 'held' and o.hold_expires_at <= now() and o.intent is null and o.settlement_id is null`;
const effectiveStatus = `case when ${isExpiredHold} then 'expired' else o.status end`;

/** The conditions of the filters that lists and searches share. The alias of the orders is `o`. */
export const filterConditions = {
  status: (status: string) => `${effectiveStatus} = ${status}`,
  from: (instant: string) => `o.placed_at >= ${instant}::timestamptz`,
  before: (instant: string) => `o.placed_at < ${instant}::timestamptz`,
};

/**
 * The select statement without its `where` clause. `now` decides whether a hold has expired: a
 * statement that waits for a lock needs the time after the wait, a list needs one time for all of
 * its rows.
 */
export const selectOrders = (now: 'clock_timestamp()' | 'now()') => `select ${orderColumns.sql},
   o.hold_expires_at <= ${now} as "holdExpired",
   (select json_agg(${orderLine.sql} order by l.position)
    from commerce.order_line l where l.order_id = o.id) as lines,
   (select p.url from commerce.payment p where p.order_id = o.id and p.state = 'open' and (p.change_id is null) is true) as "paymentUrl",
   (select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'state', a.state) order by a.at, a.id), '[]') from (
      select p.created_at as at, p.state, p.id from commerce.payment p where p.order_id = o.id and (p.change_id is null) is true
      union all
      select d.declined_at, 'declined', d.provider_decline_id from commerce.payment p
      join commerce.payment_decline d on d.payment_id = p.id where p.order_id = o.id and (p.change_id is null) is true
    ) a) as "paymentAttempts"
   from commerce.customer_order o`;

const select = selectOrders('clock_timestamp()');

// Uses one index per branch. A plan cached while the table was small could scan the whole event
// instead.
const byPath = statement<OrderRow>(
  'order_by_path',
  `with found as materialized (
     select id, business_unit_id, event_id from commerce.customer_order where id = $3
     union select id, business_unit_id, event_id from commerce.customer_order where order_number = $4
   )
   ${select} where o.id = (select id from found where business_unit_id = $1 and event_id = $2)`,
);

/**
 * Returns the order in a path, which is an id or, in either case, a number. Errors: 404, identical
 * for a missing order and one of another business unit.
 */
export async function readOrder(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  idOrNumber: string,
): Promise<OrderRow> {
  const [order] = await db.query(byPath, [
    businessUnitId,
    eventId,
    idOrNumber,
    normalCode(idOrNumber),
  ]);
  if (!order) throw notFound('order');
  return order;
}

const byId = statement<OrderRow>('order_by_id', `${select} where o.id = $1`);

/** Reads an order that must exist. */
export async function reloadOrder(db: Db, orderId: string): Promise<OrderRow> {
  const order = await findOrder(db, orderId);
  if (!order) throw new Error('order not found');
  return order;
}

/** Reads an order by an id that this service stored. */
export async function findOrder(db: Db, orderId: string): Promise<OrderRow | null> {
  const [row] = await db.query(byId, [orderId]);
  return row ?? null;
}

const lock = statement(
  'order_lock',
  'select from commerce.customer_order where id = $1 for update',
);

/**
 * Locks the order and reads it: a decision about it holds until the transaction ends.
 */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRow> {
  // A separate statement: one that has waited for the lock would still return parts of the old
  // snapshot. The read is sent behind it, without waiting for its response.
  tx.send(lock, [orderId], () => {});
  const [row] = await tx.query(byId, [orderId]);
  if (!row) throw new Error('order not found');
  return row;
}
