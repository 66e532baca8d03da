import { defineEntity, p } from '@mikro-orm/core';
import type { Quote, QuotedRequest } from './effect.rules.ts';

/**
 * `awaiting_payment`: its seats are held, and nothing has changed. `moving`: registration decides
 * about the ticket types of its seats. `executing`: its money is decided, and what it cancels is not
 * released yet.
 */
export const orderChangeStates = [
  'quoted',
  'awaiting_payment',
  'moving',
  'executing',
  'done',
] as const;

/** A quoted change of an order, and its execution. */
export const OrderChange = defineEntity({
  name: 'OrderChange',
  tableName: 'order_change',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    orderId: p.text().index('order_change_of_order'),
    request: p.json<QuotedRequest>(),
    quote: p.json<Quote>(),
    state: p.enum(orderChangeStates),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    executedAt: p.datetime(3).nullable(),
    /** The payment that it has accepted. It is refunded if registration refuses the change. */
    settlementId: p.text().nullable(),
    /** When a change with a payment has happened: its settlement pays for the order from then on. */
    paidAt: p.datetime(3).nullable(),
    /** The sweep takes the oldest first. */
    lastAttemptAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'order_change_awaiting',
      expression:
        "create index order_change_awaiting on commerce.order_change (last_attempt_at) where state = 'awaiting_payment'",
    },
    {
      name: 'order_change_paid',
      expression:
        'create index order_change_paid on commerce.order_change (business_unit_id collate "C", paid_at, event_id collate "C") where paid_at is not null',
    },
    {
      name: 'order_change_of_settlement',
      expression:
        'create index order_change_of_settlement on commerce.order_change (settlement_id) where settlement_id is not null',
    },
    {
      name: 'order_change_moving',
      expression:
        "create index order_change_moving on commerce.order_change (last_attempt_at) where state = 'moving'",
    },
    {
      name: 'order_change_executing',
      expression:
        "create index order_change_executing on commerce.order_change (last_attempt_at) where state = 'executing'",
    },
  ],
});
