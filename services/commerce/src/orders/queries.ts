import { normalCode } from '@event-api/contracts/http/fields';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement, unflushedSql } from '@event-api/platform/db/statement';
import type { Attendee, OrderedAddon, Seat } from './lines/rules.ts';
import type { AttemptState } from './payment-attempts/rules.ts';
import type { PricedLine } from './prices/rules.ts';
import type { OrderState } from './rules.ts';

/** A stored line of an order. */
export interface OrderLineRow extends Omit<PricedLine, 'firstSeat' | 'seatCount'> {
  attendees: Attendee[];
  registrationIds: string[];
  /** The amount of the seats that were not created. */
  unfulfilledAmount: number;
  /** The registrations of their attendees, which belong to other orders or to none. */
  unfulfilledRegistrationIds: string[];
  firstSeat: number;
  seatCount: number;
}

/** A stored order with its lines and the URL of its payment page. */
export interface OrderRow extends OrderState, EventScope {
  id: string;
  version: number;
  orderNumber: string;
  email: string;
  name: string | null;
  currency: string;
  seats: Seat[];
  addonIds: string[];
  /** Null in orders of the previous release: the buyer receives every add-on. */
  addons: OrderedAddon[] | null;
  redemptionCode: string | null;
  responses: Record<string, unknown> | null;
  holdExpiresAt: Date;
  placedAt: Date;
  paidAt: Date | null;
  cancelledAt: Date | null;
  readAfterToken: string | null;
  revokedAt: Date | null;
  buyerRegistrationId: string | null;
  /** The registration that received the add-ons, once the order is fulfilled. */
  addonRegistrationId: string | null;
  /** The refunded amount, in the currency of the order. */
  refundedAmount: number;
  /** The amount of due and pending refunds, in the currency of the order. */
  refundDueAmount: number;
  lines: OrderLineRow[];
  paymentUrl: string | null;
  /** Payments and declined cards, oldest first. `at` is ISO 8601 with any offset. */
  paymentAttempts: { at: string; state: AttemptState }[];
}

/**
 * The select statement without its `where` clause. `now` decides whether a hold has expired: a
 * statement that waits for a lock needs the time after the wait, a list needs one time for all of
 * its rows.
 */
export const selectOrders = (
  now: 'clock_timestamp()' | 'now()',
) => `select o.id, o.version, o.business_unit_id as "businessUnitId", o.event_id as "eventId",
   o.order_number as "orderNumber", o.email, o.name, o.status, o.intent, o.currency,
   o.total_amount as "totalAmount", o.seats, o.addon_ids as "addonIds", o.addons, o.redemption_code as "redemptionCode",
   o.responses, o.hold_expires_at as "holdExpiresAt", o.placed_at as "placedAt", o.paid_at as "paidAt",
   o.cancelled_at as "cancelledAt", o.settlement_id as "settlementId", o.read_after_token as "readAfterToken",
   o.revoked_at as "revokedAt", o.buyer_registration_id as "buyerRegistrationId",
   o.addon_registration_id as "addonRegistrationId",
   (select coalesce(sum(r.amount), 0)::bigint from commerce.refund r
    where r.order_id = o.id and r.currency = o.currency and r.state = 'done') as "refundedAmount",
   (select coalesce(sum(r.amount), 0)::bigint from commerce.refund r
    where r.order_id = o.id and r.currency = o.currency and r.state in ('due', 'pending')) as "refundDueAmount",
   o.hold_expires_at <= ${now} as "holdExpired",
   (select jsonb_agg(jsonb_build_object('itemType', l.item_type, 'itemId', l.item_id, 'name', l.name,
      'quantity', l.quantity, 'unitAmount', l.unit_amount, 'discountAmount', l.discount_amount,
      'totalAmount', l.total_amount, 'attendees', l.attendees, 'firstSeat', l.first_seat,
      'seatCount', l.seat_count, 'unfulfilledAmount', l.unfulfilled_amount,
      'unfulfilledRegistrationIds', to_jsonb(l.unfulfilled_registration_ids), 'registrationIds', to_jsonb(l.registration_ids)) order by l.position)
    from commerce.order_line l where l.order_id = o.id) as lines,
   (select p.url from commerce.payment p where p.order_id = o.id and p.url is not null
    order by p.created_at desc limit 1) as "paymentUrl",
   (select coalesce(jsonb_agg(jsonb_build_object('at', a.at, 'state', a.state) order by a.at, a.id), '[]') from (
      select p.created_at as at, p.state, p.id from commerce.payment p where p.order_id = o.id
      union all
      select d.declined_at, 'declined', d.provider_decline_id from commerce.payment p
      join commerce.payment_decline d on d.payment_id = p.id where p.order_id = o.id
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
 * Returns the order in a path, which is an id or, in either case, a number. Errors: 404, identical for a
 * missing order and one of another business unit.
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
 * Locks the order and reads it: a decision about it holds until the transaction ends. `unlocked`
 * skips the lock, so that tests can prove that they detect a missing one.
 */
export async function lockOrder(tx: Tx, orderId: string, unlocked = false): Promise<OrderRow> {
  if (!unlocked) await tx.query(lock, [orderId]);
  // A separate statement: one that has waited for the lock would still return parts of the old
  // snapshot.
  const [row] = await tx.query(byId, [orderId]);
  if (!row) throw new Error('order not found');
  return row;
}

const setIntent = statement(
  'order_set_intent',
  'update commerce.customer_order set intent = $2, last_attempt_at = clock_timestamp() where id = $1',
);

/** Stores the intended change before another service is called. */
export const writeIntent = (tx: Tx, orderId: string, intent: 'cancel' | 'release') =>
  tx.query(setIntent, [orderId, intent]);

// If it is lost with the database server, the order is completed when its hold expires, or by a retry of the client.
const setFulfilIntent = statement<{ version: number }>(
  'order_set_fulfil_intent',
  `with ${unflushedSql}
   update commerce.customer_order set intent = 'fulfil', last_attempt_at = clock_timestamp()
   from unflushed where id = $1 and ($2::bigint is null or version = $2)
   returning version`,
);

/**
 * Stores the intent to fulfil a free order that has not changed since it was read, and returns the order with it.
 * Null if the order has changed. It survives the end of this process, but not always that of the database server.
 * `unguarded` skips the comparison, so that tests can prove that they detect a missing one.
 */
export async function writeFulfilIntent(
  db: Db,
  order: OrderRow,
  unguarded: boolean,
): Promise<OrderRow | null> {
  const [row] = await db.query(setFulfilIntent, [order.id, unguarded ? null : order.version]);
  return row ? { ...order, intent: 'fulfil', version: row.version } : null;
}

const setStatus = statement(
  'order_set_status',
  `update commerce.customer_order set status = $2, intent = null,
     cancelled_at = case when $2 = 'cancelled' then coalesce(cancelled_at, clock_timestamp()) else cancelled_at end
   where id = $1`,
);

export const writeStatus = (
  tx: Tx,
  orderId: string,
  status: 'awaiting_payment' | 'cancelled' | 'expired' | 'refund_due' | 'refunded',
) => tx.query(setStatus, [orderId, status]);

const setPaid = statement<{ version: number; paidAt: Date; lagSeconds: number | null }>(
  'order_set_paid',
  `with o as (
     update commerce.customer_order set status = 'paid', intent = null, paid_at = coalesce(paid_at, clock_timestamp()),
       read_after_token = $3, addon_registration_id = $4
     where id = $1 and ($7::bigint is null or version = $7)
     returning id, version, paid_at, settlement_id
   ), lines as (
     update commerce.order_line l set registration_ids = array(select jsonb_array_elements_text($2::jsonb -> l.position)),
       unfulfilled_amount = ($5::bigint[])[l.position + 1],
       unfulfilled_registration_ids = array(select jsonb_array_elements_text($6::jsonb -> l.position))
     from o where l.order_id = o.id
   )
   select o.version, o.paid_at as "paidAt", (
     select extract(epoch from clock_timestamp() - s.received_at)::float8 from commerce.settlement s
     where s.id = o.settlement_id
   ) as "lagSeconds"
   from o`,
);

/** What the fulfilment of an order adds to it. `lines` has one entry per line. */
export interface PaidColumns extends Pick<OrderRow, 'addonRegistrationId' | 'readAfterToken'> {
  lines: Pick<
    OrderLineRow,
    'registrationIds' | 'unfulfilledAmount' | 'unfulfilledRegistrationIds'
  >[];
}

/**
 * Marks an order as paid and returns it, with the seconds since the money was received; null seconds for an order
 * without a settlement. With `onlyVersion` it returns null without an effect if the order has another version.
 */
export async function writePaid(
  db: Db,
  order: OrderRow,
  paid: PaidColumns,
  { onlyVersion }: { onlyVersion: number | null },
): Promise<{ order: OrderRow; lagSeconds: number | null } | null> {
  const { lines, readAfterToken, addonRegistrationId } = paid;
  const [row] = await db.query(setPaid, [
    order.id,
    JSON.stringify(lines.map(({ registrationIds }) => registrationIds)),
    readAfterToken,
    addonRegistrationId,
    lines.map(({ unfulfilledAmount }) => unfulfilledAmount),
    JSON.stringify(lines.map(({ unfulfilledRegistrationIds }) => unfulfilledRegistrationIds)),
    onlyVersion,
  ]);
  if (!row) return null;
  const { lagSeconds, ...stored } = row;
  const written = {
    ...order,
    ...stored,
    status: 'paid' as const,
    intent: null,
    readAfterToken,
    addonRegistrationId,
    lines: order.lines.map((line, n) => ({ ...line, ...lines[n] })),
  };
  return { order: written, lagSeconds };
}

const clear = statement(
  'order_clear_registrations',
  `update commerce.order_line set registration_ids = '{}', unfulfilled_amount = 0, unfulfilled_registration_ids = '{}'
   where order_id = $1`,
);

/** Removes the registrations of an order that has none any more. */
export const clearRegistrations = (tx: Tx, orderId: string) => tx.query(clear, [orderId]);

const setUnfulfilled = statement(
  'order_set_unfulfilled',
  `with line as (
     update commerce.order_line set unfulfilled_amount = $3, unfulfilled_registration_ids = $4
     where order_id = $1 and position = $2
   )
   update commerce.customer_order set status = 'paid' where id = $1`,
);

/** Stores what is still unfulfilled of a line of a paid order, or of one that becomes paid. */
export const writeUnfulfilled = (
  tx: Tx,
  orderId: string,
  { position, amount, ids }: { position: number; amount: number; ids: readonly string[] },
) => tx.query(setUnfulfilled, [orderId, position, amount, ids]);

const setSettlement = statement(
  'order_set_settlement',
  `update commerce.customer_order set settlement_id = $2, last_attempt_at = clock_timestamp(),
     intent = case when $3 then null else intent end
   where id = $1`,
);

/**
 * Stores the settlement that pays for the order. `withdrawsCancel` also withdraws an undecided
 * cancellation.
 */
export const writeSettlement = (
  tx: Tx,
  orderId: string,
  settlementId: string,
  { withdrawsCancel }: { withdrawsCancel: boolean },
) => tx.query(setSettlement, [orderId, settlementId, withdrawsCancel]);

const setRevoked = statement(
  'order_set_revoked',
  'update commerce.customer_order set revoked_at = clock_timestamp(), read_after_token = coalesce($2, read_after_token) where id = $1',
);

export const markRevoked = (tx: Tx, orderId: string, readAfterToken: string | null) =>
  tx.query(setRevoked, [orderId, readAfterToken]);
