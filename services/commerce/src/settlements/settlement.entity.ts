import { defineEntity, p } from '@mikro-orm/core';
import { feeOfPayment, postFee } from '../ledger/fee-shares.ts';
import { postCharge } from '../ledger/postings.ts';
import { taxOfPayment } from '../ledger/tax-shares.ts';

export const settlementStates = [
  'received',
  'accepted',
  'mismatch',
  'surplus',
  'late',
  'unmatched',
  'unusable',
] as const;

/**
 * A payment that a provider reports. Each payment is one row, however many notifications it has.
 */
export const Settlement = defineEntity({
  name: 'Settlement',
  tableName: 'settlement',
  properties: {
    id: p.text().primary(),
    provider: p.text(),
    providerNotificationId: p.text(),
    providerPaymentId: p.text(),
    sessionId: p.text(),
    attemptId: p.text().nullable(),
    /** The order in the notification. The session determines the actual order. */
    notifiedOrderId: p.text().nullable(),
    orderId: p.text().nullable().index('settlement_of_order'),
    amount: p.bigint('number'),
    /** The tax in it: that of its order, if it pays for the order. */
    taxAmount: p.bigint('number').default(0),
    /** What the provider has taken of it for the platform. */
    feeAmount: p.bigint('number').default(0),
    currency: p.text(),
    /** Whether real money moved, as the provider reports; null if it does not. */
    livemode: p.boolean().nullable(),
    state: p.enum(settlementStates),
    /** The reason of `unusable` and `unmatched`. */
    reason: p.text().nullable(),
    receivedAt: p.datetime(3),
    lastAttemptAt: p.datetime(3),
  },
  uniques: [
    { name: 'settlement_payment', properties: ['provider', 'providerPaymentId'] },
    { name: 'settlement_notification', properties: ['provider', 'providerNotificationId'] },
  ],
  indexes: [
    { name: 'settlement_by_payment', properties: ['providerPaymentId'] },
    {
      name: 'settlement_received',
      expression:
        "create index settlement_received on commerce.settlement (last_attempt_at) where state = 'received'",
    },
  ],
  triggers: [
    { name: 'journal', timing: 'after', events: ['insert', 'update'], body: postCharge },
    { name: 'tax', timing: 'before', events: ['insert', 'update'], body: taxOfPayment },
    { name: 'fee', timing: 'before', events: ['insert', 'update'], body: feeOfPayment },
    { name: 'journal_fee', timing: 'after', events: ['insert', 'update'], body: postFee },
  ],
});
