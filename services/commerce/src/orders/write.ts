import type { Fulfilment } from '@event-api/contracts/internal/reservations';
import { currentAudited } from '@event-api/platform/audit/audited-request';
import { auditParameter, insertAuditSql } from '@event-api/platform/audit/write';
import { currentActor } from '@event-api/platform/core/actor';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement, unflushedSql } from '@event-api/platform/db/statement';
import { insertChangesSql, newChangeId } from '@event-api/platform/messaging/changes/write';
import { CustomerOrder } from './order.entity.ts';
import type { OrderLineRow, OrderRow } from './orders.queries.ts';

const setIntent = statement(
  'order_set_intent',
  'update commerce.customer_order set intent = $2, last_attempt_at = clock_timestamp() where id = $1',
);

/** Stores the intended change before another service is called. */
export const writeIntent = (tx: Tx, orderId: string, intent: 'cancel' | 'release') =>
  tx.query(setIntent, [orderId, intent]);

// If it is lost with the database server, the order is completed when its hold expires, or by a
// retry of the client.
const setFulfilIntent = statement<{ version: number }>(
  'order_set_fulfil_intent',
  `with ${unflushedSql}, o as (
     update commerce.customer_order set intent = 'fulfil', last_attempt_at = clock_timestamp()
     from unflushed where id = $1 and version = $2
     returning version
   ), audits as (${insertAuditSql('commerce', '$3', 'o')})
   select version from o`,
);

/**
 * Stores the intent to fulfil a free order that has not changed since it was read, and returns the
 * order with it. Null if the order has changed. It survives the end of this process, but not always
 * that of the database server.
 */
export async function writeFulfilIntent(db: Db, order: OrderRow): Promise<OrderRow | null> {
  const audited = currentAudited();
  const [row] = await db.query(setFulfilIntent, [
    order.id,
    order.version,
    auditParameter(audited, [order.id]),
  ]);
  if (row && audited) audited.isRecorded = true;
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

const setBilling = statement(
  'order_set_billing',
  'update commerce.customer_order set billing = $2, is_reverse_charge = $3 where id = $1',
);

export const writeBilling = (
  tx: Tx,
  orderId: string,
  { billing, isReverseCharge }: Pick<OrderRow, 'billing' | 'isReverseCharge'>,
) => tx.query(setBilling, [orderId, billing && JSON.stringify(billing), isReverseCharge]);

// Written only if the statement is a command of its own. A transaction reports its net change.
const paidChange = insertChangesSql('commerce', 'o', {
  id: '$8',
  actor: '$9',
  type: 'order.paid',
  businessUnitId: 'o.business_unit_id',
  eventId: 'o.event_id',
  objectId: 'o.id',
  version: 'o.version',
  previousStatus: '$10::text',
  currentStatus: "'paid'::text",
});

const paidColumns = columnsOf(CustomerOrder, 'o', { only: ['version', 'paidAt'] });

// The statuses of the fulfilment stand in for the messages of the registrations, which replace them:
// version 0 is older than every message.
const setPaid = statement<RowOf<typeof paidColumns> & { lagSeconds: number | null }>(
  'order_set_paid',
  `with o as (
     update commerce.customer_order set status = 'paid', intent = null, paid_at = coalesce(paid_at, clock_timestamp()),
       read_after_token = $3, addon_registration_id = $4
     where id = $1 and ($7::bigint is null or version = $7)
     returning id, business_unit_id, event_id, version, paid_at, settlement_id
   ), changes as (
     ${paidChange}
   ), audits as (${insertAuditSql('commerce', '$11', 'o')}), sessions as (
     update commerce.payment p set state = 'expiring' from o
     where p.order_id = o.id and p.state in ('creating', 'open')
   ), registrations as (
     insert into commerce.registration_projection (id, business_unit_id, event_id, version, status, order_id)
     select x."registrationId", o.business_unit_id, o.event_id, 0, x.status, case when x.created then o.id end
     from o, jsonb_to_recordset($12::jsonb) as x("registrationId" text, status text, created boolean)
     where x.status is not null order by 1
     on conflict (id) do nothing
   ), lines as (
     update commerce.order_line l set registration_ids = array(select jsonb_array_elements_text($2::jsonb -> l.position)),
       unfulfilled_amount = ($5::bigint[])[l.position + 1],
       unfulfilled_registration_ids = array(select jsonb_array_elements_text($6::jsonb -> l.position))
     from o where l.order_id = o.id
   )
   select ${paidColumns.sql}, (
     select extract(epoch from clock_timestamp() - s.received_at)::float8 from commerce.settlement s
     where s.id = o.settlement_id
   ) as "lagSeconds"
   from o`,
);

/** What the fulfilment of an order adds to it. `lines` has one entry per line. */
export interface PaidColumns extends Pick<OrderRow, 'addonRegistrationId' | 'readAfterToken'> {
  seats: Fulfilment['seats'];
  lines: Pick<
    OrderLineRow,
    'registrationIds' | 'unfulfilledAmount' | 'unfulfilledRegistrationIds'
  >[];
}

/**
 * Marks an order as paid and returns it, with the seconds since the money was received; null
 * seconds for an order without a settlement. Sessions that are still open must be expired. With `onlyVersion` it returns null without an effect
 * if the order has another version. With `isWholeCommand` the statement also writes the change
 * `order.paid`.
 */
export async function writePaid(
  db: Db,
  order: OrderRow,
  paid: PaidColumns,
  { onlyVersion, isWholeCommand }: { onlyVersion: number | null; isWholeCommand: boolean },
): Promise<{ order: OrderRow; lagSeconds: number | null } | null> {
  const { lines, seats, readAfterToken, addonRegistrationId } = paid;
  const audited = isWholeCommand ? currentAudited() : null;
  const [row] = await db.query(setPaid, [
    order.id,
    JSON.stringify(lines.map(({ registrationIds }) => registrationIds)),
    readAfterToken,
    addonRegistrationId,
    lines.map(({ unfulfilledAmount }) => unfulfilledAmount),
    JSON.stringify(lines.map(({ unfulfilledRegistrationIds }) => unfulfilledRegistrationIds)),
    onlyVersion,
    isWholeCommand ? newChangeId() : null,
    JSON.stringify(currentActor()),
    order.status,
    auditParameter(audited, [order.id]),
    JSON.stringify(seats),
  ]);
  if (!row) return null;
  if (audited) audited.isRecorded = true;
  const { lagSeconds, ...stored } = row;
  const written = {
    ...order,
    ...stored,
    status: 'paid' as const,
    intent: null,
    readAfterToken,
    addonRegistrationId,
    registrationStatuses: {
      ...order.registrationStatuses,
      ...Object.fromEntries(
        seats.flatMap(({ registrationId, status }) => (status ? [[registrationId, status]] : [])),
      ),
    },
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

// A seat that is assigned in the meantime ends with its registration.
const setCancelledSeats = statement(
  'order_set_cancelled_seats',
  `update commerce.customer_order o set cancelled_seat_ids = array(
     select distinct x from unnest(o.cancelled_seat_ids || $2::text[]) x
     where exists (select from commerce.order_line l where l.order_id = o.id and x = any(l.registration_ids)) order by x)
   where o.id = $1`,
);

/** Stores that these open seats are cancelled; a second time without an effect. */
export const writeCancelledSeats = (tx: Tx, orderId: string, seatIds: readonly string[]) =>
  tx.query(setCancelledSeats, [orderId, seatIds]);

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
  `update commerce.customer_order set revoked_at = clock_timestamp(), intent = null,
     read_after_token = coalesce($2, read_after_token)
   where id = $1`,
);

export const markRevoked = (tx: Tx, orderId: string, readAfterToken: string | null) =>
  tx.query(setRevoked, [orderId, readAfterToken]);

const setChangedParts = statement(
  'order_set_changed_parts',
  'update commerce.customer_order set seats = $2, cancelled_addons = $3 where id = $1',
);

/** Stores the seats and the cancelled units of add-ons of an order after a change. */
export const writeChangedParts = (
  tx: Tx,
  orderId: string,
  { seats, cancelledAddons }: Pick<OrderRow, 'seats' | 'cancelledAddons'>,
) => tx.query(setChangedParts, [orderId, JSON.stringify(seats), JSON.stringify(cancelledAddons)]);

const setEventCancelled = statement(
  'order_set_event_cancelled',
  'update commerce.customer_order set event_cancelled_at = clock_timestamp() where id = $1',
);

/** Marks an order that the cancellation of its event was applied to. */
export const markEventCancelled = (tx: Tx, orderId: string) =>
  tx.query(setEventCancelled, [orderId]);

const setLastAttemptAt = statement(
  'order_record_attempt',
  'update commerce.customer_order set last_attempt_at = clock_timestamp() where id = $1',
);

/** Moves an order to the end of the queue of repeated steps. */
export const recordOrderAttempt = (db: Db, id: string) => db.query(setLastAttemptAt, [id]);
