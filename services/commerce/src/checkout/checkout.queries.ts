import type { Billing } from '@event-api/contracts/http/billing';
import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { currentAudited } from '@event-api/platform/audit/audited-request';
import { auditParameter, insertAuditSql } from '@event-api/platform/audit/write';
import { currentActor } from '@event-api/platform/core/actor';
import { randomBase32 } from '@event-api/platform/core/ids';
import { columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Database, Db } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import { statement } from '@event-api/platform/db/statement';
import {
  announceChanges,
  insertChangesSql,
  newChangeId,
} from '@event-api/platform/messaging/changes/write';
import type { EventPlace } from '../orders/billing.rules.ts';
import type { Offer, OrderedAddon } from '../orders/lines.rules.ts';
import { CustomerOrder } from '../orders/order.entity.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import type { PricedOrder } from '../orders/prices.rules.ts';
import { AddonProjectionTable } from '../projections/addon.projection.ts';
import { BundleProjectionTable } from '../projections/bundle.projection.ts';
import { EventProjectionTable } from '../projections/event.projection.ts';
import { TicketTypeProjectionTable } from '../projections/ticket-type.projection.ts';

const event = columnsOf(EventProjectionTable, 'e', {
  only: ['currency', 'currencyLocked', 'form', 'refundPolicy', 'attendanceMode', 'country'],
});
const bundle = jsonOf(BundleProjectionTable, 'b', {
  only: ['id', 'name', 'status', 'priceAmount', 'taxRate', 'items'],
});
const type = jsonOf(TicketTypeProjectionTable, 't', {
  only: ['id', 'name', 'priceAmount', 'taxRate'],
});
const addon = jsonOf(AddonProjectionTable, 'a', {
  only: ['id', 'name', 'priceAmount', 'taxRate', 'status'],
});

/** The event of an order and the requested items, from the projections. */
export interface OfferRow extends RowOf<typeof event>, Offer {}

// The requested items, and the items of the requested bundles.
const offer = statement<
  RowOf<typeof event> & {
    bundles: RowOf<typeof bundle>[] | null;
    types: RowOf<typeof type>[] | null;
    addons: RowOf<typeof addon>[] | null;
  }
>(
  'order_offer',
  `with requested_bundle as (
     select b.id, b.name, b.status, b.price_amount, b.tax_rate, b.items from commerce.bundle_projection b
     where b.business_unit_id = $1 and b.event_id = $2 and b.id = any($3)
   ), requested as (
     select unnest($3::text[]) as id
     union select i->>'itemId' from requested_bundle b, jsonb_array_elements(b.items) i
   )
   select ${event.sql},
     (select json_agg(${bundle.sql}) from requested_bundle b) as bundles,
     (select json_agg(${type.sql})
      from commerce.ticket_type_projection t where t.id = any(array(select id from requested))
        and t.business_unit_id = $1 and t.event_id = $2) as types,
     (select json_agg(${addon.sql})
      from commerce.addon_projection a where a.id = any(array(select id from requested))
        and a.business_unit_id = $1 and a.event_id = $2) as addons
   from commerce.event_projection e where e.business_unit_id = $1 and e.id = $2`,
);

/** Null if the event has no projection. */
export async function readOffer(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  itemIds: readonly string[],
): Promise<OfferRow | null> {
  const [row] = await db.query(offer, [businessUnitId, eventId, itemIds]);
  if (!row) return null;
  const { bundles, types, addons, ...ofEvent } = row;
  return { ...ofEvent, types: byId(types), addons: byId(addons), bundles: byId(bundles) };
}

const place = columnsOf(EventProjectionTable, 'e', { only: ['attendanceMode', 'country'] });

const eventPlace = statement<RowOf<typeof place>>(
  'event_place',
  `select ${place.sql} from commerce.event_projection e where e.business_unit_id = $1 and e.id = $2`,
);

/** How and where people attend an event; null if it has no projection. */
export async function readEventPlace(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<EventPlace | null> {
  const [row] = await db.query(eventPlace, [businessUnitId, eventId]);
  return row ?? null;
}

const byId = <Item extends { id: string }>(items: readonly Item[] | null): Map<string, Item> =>
  new Map(items?.map((item) => [item.id, item]));

const reserved = columnsOf(CustomerOrder, 'o', {
  only: [
    'id',
    'businessUnitId',
    'eventId',
    'email',
    'orderedEmail',
    'name',
    'seats',
    'addonIds',
    'addons',
    'redemptionCode',
  ],
});
const status = columnsOf(CustomerOrder, 'o', { only: ['status'] });

/** What registration needs to fulfil or check an order. */
export type ReservedOrder = RowOf<typeof reserved>;

/** An order whose hold has not ended, without an unfinished step. */
export interface OpenOrder extends ReservedOrder, RowOf<typeof status> {}

// Read through `customer_order_unfinished`. At random, so that no order waits for ever behind others.
const openOrders = statement<OpenOrder>(
  'orders_open',
  `select ${reserved.sql}, ${status.sql}
   from commerce.customer_order o
   where o.status in ('held', 'awaiting_payment') and o.intent is null and o.settlement_id is null
     and o.hold_expires_at > clock_timestamp() and ($2::text is null or o.business_unit_id = $2)
   order by random() limit $1`,
);

/** Open orders of one business unit, or of all with null. */
export const findOpenOrders = (
  db: Db,
  limit: number,
  businessUnitId: string | null,
): Promise<OpenOrder[]> => db.query(openOrders, [limit, businessUnitId]);

const position = statement<{ position: string }>(
  'projections_position',
  `select coalesce(max(c.stream_created_at || ' ' || c.seq), '') as position
   from commerce.projection_checkpoint c`,
);

/** How far the projections have come. It changes with every message of registration. */
export async function readPosition(db: Db): Promise<string> {
  const [row] = await db.query(position);
  return row?.position ?? '';
}

const cancelledEvent = statement<{ id: string }>(
  'event_is_cancelled',
  `select e.id from commerce.event_projection e
   where e.id = $2 and (e.business_unit_id = $1) is true and (e.cancelled_at is not null) is true`,
);

export const isEventCancelled = async (
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<boolean> => (await db.query(cancelledEvent, [businessUnitId, eventId])).length > 0;

/** An order to store. */
export interface NewOrder extends EventScope {
  id: string;
  email: string;
  name: string | null;
  currency: string;
  priced: PricedOrder;
  addonIds: readonly string[];
  addons: readonly OrderedAddon[];
  redemptionCode: string | null;
  responses: Record<string, unknown> | null;
  refundPolicy: RefundPolicy | null;
  billing: Billing | null;
  isReverseCharge: boolean;
  /** The active registration of the buyer when the order is placed. */
  buyerRegistrationId: string | null;
  holdExpiresAt: string;
}

const stored = columnsOf(CustomerOrder, 'o', {
  only: ['orderNumber', 'version', 'placedAt', 'holdExpiresAt'],
});

/** What the database decides about a new order. */
type StoredColumns = RowOf<typeof stored> & Pick<OrderRow, 'holdExpired'>;

// A retry with the same id finds its order and writes nothing.
const insert = statement<StoredColumns>(
  'order_insert',
  `with o as (
     insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
       total_amount, seats, addon_ids, redemption_code, responses, hold_expires_at,
       buyer_registration_id, addons, refund_policy, tax_amount, billing, is_reverse_charge, placed_at, last_attempt_at)
     values ($1, $2, $3, $4, $5, $6, 'held', $7, $8, $9, $10, $11, $12, $13, $15, $16, $20, $21, $22, $23, clock_timestamp(),
       clock_timestamp())
     on conflict (id) do nothing
     returning id, order_number, version, placed_at, hold_expires_at
   ), l as (
     insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
       discount_amount, total_amount, tax_amount, taxes, attendees, first_seat, seat_count, registration_ids)
     select o.id, x.position, x."itemType", x."itemId", x.name, x.quantity, x."unitAmount", x."discountAmount",
       x."totalAmount", x."taxAmount", x.taxes, x.attendees, x."firstSeat", x."seatCount", '{}'
     from o, jsonb_to_recordset($14::jsonb) as x(position int, "itemType" text, "itemId" text, name text,
       quantity int, "unitAmount" bigint, "discountAmount" bigint, "totalAmount" bigint, "taxAmount" bigint, taxes jsonb, attendees jsonb,
       "firstSeat" int, "seatCount" int)
   ), changes as (
     ${insertChangesSql('commerce', 'o', {
       id: '$17',
       actor: '$18',
       type: 'order.created',
       businessUnitId: '$2::text',
       eventId: '$3::text',
       objectId: 'o.id',
       version: 'o.version',
       currentStatus: "'held'::text",
     })}
   ), audits as (${insertAuditSql('commerce', '$19', 'o')})
   select ${stored.sql}, o.hold_expires_at <= clock_timestamp() as "holdExpired"
   from o`,
);

const numberLetters = 8;

/**
 * Stores an order under a unique number and returns it as a read would, so that no read has to
 * follow. Null if an order with this id exists. Reports: `order.created`.
 */
export async function insertOrder(
  db: Pick<Database, 'query' | 'committed'>,
  order: NewOrder,
): Promise<OrderRow | null> {
  const { priced } = order;
  const audited = currentAudited();
  for (let attempt = 1; ; attempt++) {
    try {
      const [row] = await db.query(insert, [
        order.id,
        order.businessUnitId,
        order.eventId,
        `ORD-${randomBase32(numberLetters)}`,
        order.email,
        order.name,
        order.currency,
        priced.totalAmount,
        JSON.stringify(priced.seats),
        order.addonIds,
        order.redemptionCode,
        order.responses === null ? null : JSON.stringify(order.responses),
        order.holdExpiresAt,
        JSON.stringify(priced.lines.map((line, position) => ({ ...line, position }))),
        order.buyerRegistrationId,
        JSON.stringify(order.addons),
        newChangeId(),
        JSON.stringify(currentActor()),
        auditParameter(audited, [order.id]),
        order.refundPolicy === null ? null : JSON.stringify(order.refundPolicy),
        priced.taxAmount,
        order.billing === null ? null : JSON.stringify(order.billing),
        order.isReverseCharge,
      ]);
      if (!row) return null;
      if (audited) audited.isRecorded = true;
      await announceChanges(db);
      return placedOrder(order, row);
    } catch (error) {
      if (attempt === 3 || violatedUniqueConstraint(error) !== 'customer_order_number') throw error;
    }
  }
}

function placedOrder({ priced, ...order }: NewOrder, stored: StoredColumns): OrderRow {
  return {
    ...order,
    ...stored,
    addonIds: [...order.addonIds],
    addons: [...order.addons],
    status: 'held',
    payments: [],
    disputes: [],
    intent: null,
    totalAmount: priced.totalAmount,
    taxAmount: priced.taxAmount,
    seats: priced.seats,
    lines: priced.lines.map((line) => ({
      ...line,
      registrationIds: [],
      unfulfilledAmount: 0,
      unfulfilledRegistrationIds: [],
    })),
    settlementId: null,
    paidAt: null,
    cancelledAt: null,
    readAfterToken: null,
    revokedAt: null,
    eventCancelledAt: null,
    addonRegistrationId: null,
    cancelledSeatIds: [],
    orderedEmail: null,
    registrationStatuses: {},
    refundedAmount: 0,
    refundsDue: [],
    cancelledSeats: [],
    cancelledAddons: [],
    addonChanges: [],
    isMoving: false,
    paymentUrl: null,
    paymentAttempts: [],
  };
}
