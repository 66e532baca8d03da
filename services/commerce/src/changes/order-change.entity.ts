import { defineEntity, p } from '@mikro-orm/core';
import type { Quote, QuotedRequest } from './effect.rules.ts';

/**
 * `moving`: registration decides about the ticket types of its seats. `executing`: its money is
 * decided, and what it cancels is not released yet.
 */
export const orderChangeStates = ['quoted', 'moving', 'executing', 'done'] as const;

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
    /** The sweep takes the oldest first. */
    lastAttemptAt: p.datetime(3),
  },
  indexes: [
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
