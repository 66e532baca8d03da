import { disputeStatuses } from '@event-api/contracts/http/orders';
import { defineEntity, p } from '@mikro-orm/core';
import { postDispute } from '../ledger/postings.ts';

/** A dispute that a provider reports. Each one is one row, however many notifications it has. */
export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: {
    provider: p.text().primary(),
    providerDisputeId: p.text().primary(),
    providerPaymentId: p.text(),
    amount: p.bigint('number').check('amount >= 0'),
    currency: p.text(),
    status: p.enum(disputeStatuses),
    /** The word of the provider. */
    reason: p.text().nullable(),
    respondBy: p.datetime(3).nullable(),
    /** When the provider has opened it. */
    createdAt: p.datetime(3),
    /** When the provider reported this state. */
    reportedAt: p.datetime(3),
    /** The settlement of its payment and the order of that; null while none is known. */
    settlementId: p.text().nullable(),
    orderId: p.text().nullable(),
    businessUnitId: p.text().nullable(),
    eventId: p.text().nullable(),
    receivedAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'dispute_of_order',
      expression:
        'create index dispute_of_order on commerce.dispute (order_id) where order_id is not null',
    },
    {
      name: 'dispute_of_settlement',
      expression:
        'create index dispute_of_settlement on commerce.dispute (settlement_id) where settlement_id is not null',
    },
    {
      name: 'dispute_of_event',
      expression:
        'create index dispute_of_event on commerce.dispute (business_unit_id, event_id) where order_id is not null',
    },
    {
      name: 'dispute_opened',
      expression:
        'create index dispute_opened on commerce.dispute (business_unit_id collate "C", created_at, event_id collate "C") where order_id is not null',
    },
    {
      name: 'dispute_unmatched',
      expression:
        'create index dispute_unmatched on commerce.dispute (provider, provider_payment_id) where order_id is null',
    },
    {
      name: 'dispute_open',
      expression:
        "create index dispute_open on commerce.dispute (respond_by) where status in ('inquiry', 'needs_response', 'under_review')",
    },
  ],
  triggers: [{ name: 'journal', timing: 'after', events: ['insert', 'update'], body: postDispute }],
});
