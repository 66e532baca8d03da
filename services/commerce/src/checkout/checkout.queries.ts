import type { FormQuestion } from '@event-api/contracts/http/forms';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { currentAudited } from '@event-api/platform/audit/audited-request';
import { auditParameter, insertAuditSql } from '@event-api/platform/audit/write';
import { currentActor } from '@event-api/platform/core/actor';
import { randomBase32 } from '@event-api/platform/core/ids';
import type { Database, Db } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import { statement } from '@event-api/platform/db/statement';
import {
  announceChanges,
  insertChangesSql,
  newChangeId,
} from '@event-api/platform/messaging/changes/write';
import type { Offer, OrderedAddon } from '../orders/lines.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import type { PricedOrder } from '../orders/prices.rules.ts';

/** The event of an order and the requested items, from the projections. */
export interface OfferRow extends Offer {
  title: string;
  currency: string;
  currencyLocked: boolean;
  form: FormQuestion[] | null;
}

interface ProjectedOffer {
  title: string;
  currency: string;
  currencyLocked: boolean;
  form: FormQuestion[] | null;
  bundles: ({ id: string } & Parameters<Offer['bundles']['get']>)[] | null;
  types: { id: string }[] | null;
  addons: { id: string }[] | null;
}

// The requested items, and the items of the requested bundles.
const offer = statement<ProjectedOffer>(
  'order_offer',
  `with requested_bundle as (
     select b.id, b.name, b.status, b.price_amount, b.items from commerce.bundle_projection b
     where b.business_unit_id = $1 and b.event_id = $2 and b.id = any($3)
   ), requested as (
     select unnest($3::text[]) as id
     union select i->>'itemId' from requested_bundle b, jsonb_array_elements(b.items) i
   )
   select e.name as title, e.currency, e.currency_locked as "currencyLocked", e.form,
     (select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'status', status, 'priceAmount', price_amount,
        'items', items))
      from requested_bundle) as bundles,
     (select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'priceAmount', t.price_amount))
      from commerce.ticket_type_projection t where t.id = any(array(select id from requested))
        and t.business_unit_id = $1 and t.event_id = $2) as types,
     (select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'priceAmount', a.price_amount,
        'status', a.status))
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
  return {
    title: row.title,
    currency: row.currency,
    currencyLocked: row.currencyLocked,
    form: row.form,
    types: byId(row.types),
    addons: byId(row.addons),
    bundles: byId(row.bundles),
  };
}

const byId = <Value>(rows: readonly { id: string }[] | null): Map<string, Value> =>
  new Map((rows ?? []).map((row) => [row.id, row as Value]));

/** What registration needs to fulfil or check an order. */
export type ReservedOrder = Pick<
  OrderRow,
  'id' | 'email' | 'name' | 'seats' | 'addonIds' | 'addons' | 'redemptionCode'
> &
  EventScope;

// Read through `customer_order_unfinished`. At random, so that no order waits for ever behind others.
const openPages = statement<ReservedOrder>(
  'orders_open_pages',
  `select o.id, o.business_unit_id as "businessUnitId", o.event_id as "eventId", o.email, o.name, o.seats,
     o.addon_ids as "addonIds", o.addons, o.redemption_code as "redemptionCode"
   from commerce.customer_order o
   where o.status = 'awaiting_payment' and o.intent is null and o.settlement_id is null
     and o.hold_expires_at > clock_timestamp() and ($2::text is null or o.business_unit_id = $2)
   order by random() limit $1`,
);

/** Orders with an open payment page, of one business unit, or of all with null. */
export const findOpenPages = (
  db: Db,
  limit: number,
  businessUnitId: string | null,
): Promise<ReservedOrder[]> => db.query(openPages, [limit, businessUnitId]);

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
  /** The active registration of the buyer when the order is placed. */
  buyerRegistrationId: string | null;
  holdExpiresAt: string;
}

/** What the database decides about a new order. */
type StoredColumns = Pick<
  OrderRow,
  'orderNumber' | 'version' | 'placedAt' | 'holdExpiresAt' | 'holdExpired'
>;

// A retry with the same id finds its order and writes nothing.
const insert = statement<StoredColumns>(
  'order_insert',
  `with o as (
     insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
       total_amount, seats, addon_ids, redemption_code, responses, hold_expires_at,
       buyer_registration_id, addons, placed_at, last_attempt_at)
     values ($1, $2, $3, $4, $5, $6, 'held', $7, $8, $9, $10, $11, $12, $13, $15, $16, clock_timestamp(),
       clock_timestamp())
     on conflict (id) do nothing
     returning id, order_number, version, placed_at, hold_expires_at
   ), l as (
     insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
       discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
     select o.id, x.position, x."itemType", x."itemId", x.name, x.quantity, x."unitAmount", x."discountAmount",
       x."totalAmount", x.attendees, x."firstSeat", x."seatCount", '{}'
     from o, jsonb_to_recordset($14::jsonb) as x(position int, "itemType" text, "itemId" text, name text,
       quantity int, "unitAmount" bigint, "discountAmount" bigint, "totalAmount" bigint, attendees jsonb,
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
   select order_number as "orderNumber", version, placed_at as "placedAt", hold_expires_at as "holdExpiresAt",
     hold_expires_at <= clock_timestamp() as "holdExpired"
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
      const [stored] = await db.query(insert, [
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
      ]);
      if (!stored) return null;
      if (audited) audited.isRecorded = true;
      await announceChanges(db);
      return placedOrder(order, stored);
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
    intent: null,
    totalAmount: priced.totalAmount,
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
    addonRegistrationId: null,
    registrationStatuses: {},
    refundedAmount: 0,
    refundsDue: [],
    paymentUrl: null,
    paymentAttempts: [],
  };
}
