import type { Billing } from '@event-api/contracts/http/billing';
import { orderItemTypes, orderStatuses } from '@event-api/contracts/http/orders';
import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { LineTax } from '@event-api/contracts/http/tax-rates';
import { nameVectorSql } from '@event-api/platform/db/name-search';
import { partVectorSql } from '@event-api/platform/db/part-search';
import { changeVersion, nextChangeVersion } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';
import type { Attendee, CancelledUnits, OrderedAddon, Seat } from './lines.rules.ts';
import { orderIntents } from './orders.rules.ts';

/** An order and its progress. */
export const CustomerOrder = defineEntity({
  name: 'CustomerOrder',
  tableName: 'customer_order',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    orderNumber: p.text().unique('customer_order_number'),
    email: p.text(),
    name: p.text().nullable(),
    /** The email with which the order was placed, once the one of the buyer has been corrected. */
    orderedEmail: p.text().nullable(),
    status: p.enum(orderStatuses),
    intent: p.enum(orderIntents).nullable(),
    currency: p.text(),
    totalAmount: p.bigint('number').check('total_amount >= 0'),
    /** The tax in it. */
    taxAmount: p.bigint('number').default(0),
    /** Whom it is billed to: personal data, as the buyer and the attendees. */
    billing: p.json<Billing>().nullable(),
    /** Whether the customer owes its tax, by its billing and its event. */
    isReverseCharge: p.boolean().default(false),
    /** The seats in the order of the lines, each with its price. */
    seats: p.json<Seat[]>(),
    addonIds: p.array().columnType('text[]'),
    /** The add-ons of each line with their recipients. */
    addons: p.json<OrderedAddon[]>().defaultRaw("'[]'::jsonb"),
    /** The units of its add-ons that changes have cancelled. */
    cancelledAddons: p.json<CancelledUnits[]>().defaultRaw("'[]'::jsonb"),
    redemptionCode: p.text().nullable(),
    responses: p.json<Record<string, unknown>>().nullable(),
    /** The refund policy of the event when the order was placed. */
    refundPolicy: p.json<RefundPolicy>().nullable(),
    /** The active registration of the buyer when the order was placed. */
    buyerRegistrationId: p.text().nullable(),
    /**
     * The registration that received the add-ons when the order was fulfilled, or the open seat that
     * keeps them.
     */
    addonRegistrationId: p.text().nullable(),
    holdExpiresAt: p.datetime(3),
    placedAt: p.datetime(3),
    paidAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
    /** The settlement that pays for the order. Any other settlement is refunded. */
    settlementId: p.text().nullable(),
    /** Read-after token: clients need it to read the registrations of the order. */
    readAfterToken: p.text().nullable(),
    /**
     * After a full refund, or the cancellation of a free order: when registration revoked what the
     * order created, or when a refund ended the order and kept it.
     */
    revokedAt: p.datetime(3).nullable(),
    /** The open seats that were cancelled alone. A seat that is assigned is not among them. */
    cancelledSeatIds: p.array().columnType('text[]').default([]),
    /** When the cancellation of its event was applied to what it has paid. */
    eventCancelledAt: p.datetime(3).nullable(),
    /** Time of the last attempt. The sweep takes the oldest first. */
    lastAttemptAt: p.datetime(3),
    /** Set by triggers whenever the order or one of its refunds changes. */
    version: changeVersion(),
  },
  indexes: [
    {
      name: 'customer_order_newest',
      properties: ['businessUnitId', 'eventId', 'placedAt', 'id'],
    },
    {
      name: 'customer_order_by_status',
      properties: ['businessUnitId', 'eventId', 'status', 'placedAt', 'id'],
    },
    {
      name: 'customer_order_of_email',
      expression:
        'create index customer_order_of_email on commerce.customer_order (business_unit_id, event_id, lower(email collate "C"), placed_at, id)',
    },
    {
      name: 'customer_order_by_email',
      expression:
        'create index customer_order_by_email on commerce.customer_order (event_id collate "C", lower(email collate "C"))',
    },
    {
      name: 'customer_order_by_number',
      expression: `create index customer_order_by_number on commerce.customer_order ((event_id || ' '), order_number text_pattern_ops)`,
    },
    {
      name: 'customer_order_by_name',
      expression: `create index customer_order_by_name on commerce.customer_order using gin ((${nameVectorSql('event_id', 'name')})) with (fastupdate = off)`,
    },
    {
      // Entries are added together: one by one they would cost an insert twice its time. A search
      // reads the kilobytes that wait.
      name: 'customer_order_by_email_part',
      expression: `create index customer_order_by_email_part on commerce.customer_order using gin ((${partVectorSql('event_id', 'lower(email collate "C")')})) with (gin_pending_list_limit = 256)`,
    },
    {
      name: 'customer_order_changes',
      properties: ['businessUnitId', 'eventId', 'version', 'id'],
    },
    {
      name: 'customer_order_paid',
      expression:
        'create index customer_order_paid on commerce.customer_order (business_unit_id collate "C", paid_at, event_id collate "C") where paid_at is not null',
    },
    {
      // Most orders of a cancelled event stay paid.
      name: 'customer_order_undecided',
      expression:
        "create index customer_order_undecided on commerce.customer_order (event_id, last_attempt_at) where status = 'paid' and event_cancelled_at is null",
    },
    {
      name: 'customer_order_unfinished',
      expression:
        "create index customer_order_unfinished on commerce.customer_order (last_attempt_at) where status in ('held', 'awaiting_payment') or intent is not null or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null)",
    },
  ],
  triggers: [
    {
      // A trigger, because many statements update orders. An attempt that only updates its own time
      // is not a change.
      name: 'version',
      timing: 'before',
      events: ['update'],
      body: `if to_jsonb(old) - 'last_attempt_at' is distinct from to_jsonb(new) - 'last_attempt_at' then new.version := ${nextChangeVersion('old.version')}; end if; return new;`,
    },
  ],
});

/** One line of an order, with the price at which it was sold. */
export const OrderLine = defineEntity({
  name: 'OrderLine',
  tableName: 'order_line',
  properties: {
    orderId: p.text().primary(),
    position: p.integer().primary(),
    itemType: p.enum(orderItemTypes),
    itemId: p.text(),
    name: p.text(),
    quantity: p.integer().check('quantity > 0'),
    unitAmount: p.bigint('number'),
    discountAmount: p.bigint('number'),
    totalAmount: p.bigint('number'),
    /** The tax in it, and the rates that were applied. */
    taxAmount: p.bigint('number').default(0),
    taxes: p.json<LineTax[]>().defaultRaw("'[]'::jsonb"),
    /** The part of it for seats that were not created: their attendees had registered elsewhere. */
    unfulfilledAmount: p.bigint('number').default(0),
    /** The registrations of these attendees, which belong to other orders or to none. */
    unfulfilledRegistrationIds: p.array().columnType('text[]').default([]),
    attendees: p.json<Attendee[]>(),
    /** Index of the line's first seat in the seats of the order. */
    firstSeat: p.integer(),
    seatCount: p.integer(),
    /** One per seat of the line. An open seat has its own id until it is assigned. */
    registrationIds: p.array().columnType('text[]'),
  },
});
