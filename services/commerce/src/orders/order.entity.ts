import { orderItemTypes, orderStatuses } from '@event-api/contracts/http/orders';
import { changeVersion, nextChangeVersion } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';
import { orderIntents } from './rules.ts';

/** What somebody has ordered, and how far it has come. */
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
    status: p.enum(orderStatuses),
    intent: p.enum(orderIntents).nullable(),
    currency: p.text(),
    totalAmount: p.bigint('number').check('total_amount >= 0'),
    /** The seats in the order of the lines, with what each of them costs. */
    seats: p.json(),
    addonIds: p.array().columnType('text[]'),
    redemptionCode: p.text().nullable(),
    responses: p.json().nullable(),
    /** The active registration of the buyer when the order was placed. */
    buyerRegistrationId: p.text().nullable(),
    /** The registration that received the add-ons when the order was fulfilled. */
    addonRegistrationId: p.text().nullable(),
    holdExpiresAt: p.datetime(3),
    placedAt: p.datetime(3),
    paidAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
    /** The one settlement that pays for it; any other is money to give back. */
    settlementId: p.text().nullable(),
    /** What reads must wait for to see what its fulfilment has made. */
    readAfter: p.text().nullable(),
    /** After a full refund: when registration had taken back what the order made. */
    revokedAt: p.datetime(3).nullable(),
    /** When a step was last tried, so that those left half-way take turns. */
    triedAt: p.datetime(3),
    /** Triggers set it whenever the order or a refund of it changes. */
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
      name: 'customer_order_changes',
      properties: ['businessUnitId', 'eventId', 'version', 'id'],
    },
    {
      name: 'customer_order_unfinished',
      expression:
        "create index customer_order_unfinished on commerce.customer_order (tried_at) where status in ('held', 'awaiting_payment') or intent is not null or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null)",
    },
  ],
  triggers: [
    {
      // A trigger, because many statements write orders, those of the previous release during a rollout among them.
      // An attempt that changes nothing but its own time is not a change.
      name: 'version',
      timing: 'before',
      events: ['update'],
      body: `if to_jsonb(old) - 'tried_at' is distinct from to_jsonb(new) - 'tried_at' then new.version := ${nextChangeVersion('old.version')}; end if; return new;`,
    },
  ],
});

/** One line of an order, as it was sold. */
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
    attendees: p.json(),
    /** Its seats among the order's. */
    firstSeat: p.integer(),
    seatCount: p.integer(),
    registrationIds: p.array().columnType('text[]'),
  },
});
