import { defineEntity, p } from '@mikro-orm/core';
import { paymentStates } from '../orders/payment-attempts.rules.ts';

/**
 * One attempt to collect the payment of an order: a session at the provider. Its id is the
 * provider's idempotency key.
 */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    orderId: p.text().index('payment_of_order'),
    /** The change of the order that it pays for; null for the payment of the order. */
    changeId: p.text().nullable(),
    /** The account that it was opened on: `stripe`, or `stripe/pac_…` for one of the unit. */
    provider: p.text(),
    state: p.enum(paymentStates),
    amount: p.bigint('number'),
    currency: p.text(),
    /** What the provider takes of it for the platform, on a connected account. */
    feeAmount: p.bigint('number').default(0),
    successUrl: p.text(),
    cancelUrl: p.text(),
    sessionId: p.text().nullable(),
    url: p.text().nullable(),
    createdAt: p.datetime(3),
    lastAttemptAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'payment_one_at_a_time',
      expression:
        "create unique index payment_one_at_a_time on commerce.payment (order_id) where state in ('creating', 'open')",
    },
    {
      name: 'payment_session',
      expression:
        'create unique index payment_session on commerce.payment (provider, session_id) where session_id is not null',
    },
    {
      name: 'payment_by_session',
      expression:
        'create index payment_by_session on commerce.payment (session_id) where session_id is not null',
    },
    {
      name: 'payment_to_expire',
      expression:
        "create index payment_to_expire on commerce.payment (last_attempt_at) where state in ('creating', 'open', 'expiring')",
    },
  ],
});
