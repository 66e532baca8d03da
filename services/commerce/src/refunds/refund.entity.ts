import {
  type RefundCause,
  refundExtents,
  refundStates,
} from '@event-api/contracts/operator/refunds';
import { defineEntity, p } from '@mikro-orm/core';
import { feeOfRefund, postReturnedFee } from '../ledger/fee-shares.ts';
import { postRefund } from '../ledger/postings.ts';
import { taxOfRefund } from '../ledger/tax-shares.ts';

/** A refund to a buyer: due, pending or done. */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    orderId: p.text().index('refund_of_order'),
    settlementId: p.text(),
    amount: p.bigint('number').check('amount > 0'),
    /** The tax in it. */
    taxAmount: p.bigint('number').default(0),
    /** What it has returned of the fee of the platform. */
    feeAmount: p.bigint('number').default(0),
    currency: p.text(),
    state: p.enum(refundStates),
    cause: p.text().$type<RefundCause>(),
    reason: p.text().nullable(),
    failure: p.text().nullable(),
    providerRefundId: p.text().nullable(),
    createdAt: p.datetime(3),
    doneAt: p.datetime(3).nullable(),
    lastAttemptAt: p.datetime(3),
    /** How often the provider has refused it. */
    refusals: p.integer().default(0),
    /** The `order.refund` request that created or released this refund, and its extent. */
    requestId: p.text().nullable(),
    requestedExtent: p.enum(refundExtents).nullable(),
    requestedAt: p.datetime(3).nullable(),
    /** The registrations of the order whose prices it refunds. */
    registrationIds: p.array().columnType('text[]').default([]),
    /** Whether these registrations are revoked before the money is sent. */
    revokesSeats: p.boolean().default(false),
    /** When the platform sends it while it is due; null if an operator does. */
    sendAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'refund_newest', properties: ['businessUnitId', 'eventId', 'createdAt', 'id'] },
    { name: 'refund_newest_of_unit', properties: ['businessUnitId', 'createdAt', 'id'] },
    { name: 'refund_newest_of_all', properties: ['createdAt', 'id'] },
    {
      name: 'refund_done',
      expression:
        'create index refund_done on commerce.refund (business_unit_id collate "C", done_at, event_id collate "C") where done_at is not null',
    },
    {
      name: 'refund_owed',
      expression:
        "create index refund_owed on commerce.refund (business_unit_id, created_at, id) where state in ('due', 'pending', 'failed')",
    },
    {
      name: 'refund_pending',
      expression:
        "create index refund_pending on commerce.refund (last_attempt_at) where state = 'pending'",
    },
    {
      name: 'refund_to_send',
      expression:
        "create index refund_to_send on commerce.refund (send_at) where state = 'due' and failure is null and send_at is not null",
    },
    {
      name: 'refund_at_provider',
      expression:
        'create index refund_at_provider on commerce.refund (provider_refund_id) where provider_refund_id is not null',
    },
    {
      name: 'refund_due',
      expression:
        "create index refund_due on commerce.refund (last_attempt_at) where state = 'due'",
    },
  ],
  triggers: [
    { name: 'journal', timing: 'after', events: ['insert', 'update'], body: postRefund },
    { name: 'tax', timing: 'before', events: ['insert', 'update'], body: taxOfRefund },
    { name: 'fee', timing: 'before', events: ['insert', 'update'], body: feeOfRefund },
    { name: 'journal_fee', timing: 'after', events: ['insert', 'update'], body: postReturnedFee },
    {
      // The response of an order contains its refunds. Every statement that changes an amount or a
      // state has locked the order.
      name: 'order_version',
      timing: 'after',
      events: ['insert', 'update'],
      body: `if tg_op = 'INSERT' or old.state <> new.state or old.amount <> new.amount then update commerce.customer_order set version = version + 1 where id = new.order_id; end if; return null;`,
    },
  ],
});
