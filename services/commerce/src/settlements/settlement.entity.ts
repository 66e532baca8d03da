import { defineEntity, p } from '@mikro-orm/core';

export const settlementStates = [
  'received',
  'accepted',
  'mismatch',
  'surplus',
  'late',
  'unmatched',
  'unusable',
] as const;

/** Money that a provider says it has received. Each payment of a provider is one row, however often it is notified. */
export const Settlement = defineEntity({
  name: 'Settlement',
  tableName: 'settlement',
  properties: {
    id: p.text().primary(),
    provider: p.text(),
    providerEventId: p.text(),
    providerPaymentId: p.text(),
    sessionId: p.text(),
    attemptId: p.text().nullable(),
    /** The order that the notification names; whose it is, the session says. */
    toldOrderId: p.text().nullable(),
    orderId: p.text().nullable().index('settlement_of_order'),
    amount: p.bigint('number'),
    currency: p.text(),
    /** Whether real money moved, as the provider says; null when it does not say. */
    livemode: p.boolean().nullable(),
    state: p.enum(settlementStates),
    /** Why it is `unusable`. */
    reason: p.text().nullable(),
    receivedAt: p.datetime(3),
    triedAt: p.datetime(3),
  },
  uniques: [
    { name: 'settlement_payment', properties: ['provider', 'providerPaymentId'] },
    { name: 'settlement_event', properties: ['provider', 'providerEventId'] },
  ],
  indexes: [
    {
      name: 'settlement_received',
      expression:
        "create index settlement_received on commerce.settlement (tried_at) where state = 'received'",
    },
  ],
});
