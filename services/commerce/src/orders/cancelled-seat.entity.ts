import { seatRefundReasons } from '@event-api/contracts/http/orders';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * A seat of a paid order whose registration has ended, and what the policy of the order pays back
 * for it. A trigger of the projection of registrations inserts it.
 */
export const CancelledSeat = defineEntity({
  name: 'CancelledSeat',
  tableName: 'cancelled_seat',
  properties: {
    registrationId: p.text().primary(),
    orderId: p.text().index('cancelled_seat_of_order'),
    businessUnitId: p.text(),
    eventId: p.text(),
    cancelledAt: p.datetime(3),
    /**
     * Whether its event was cancelled by then: the refund of the event decides about it. Null if
     * registration does not say it, or a change of the order has cancelled it.
     */
    endedWithEvent: p.boolean().nullable(),
    /** Null until the policy of the order is applied. */
    decidedAt: p.datetime(3).nullable(),
    paidAmount: p.bigint('number').default(0),
    refundAmount: p.bigint('number').default(0),
    keptAmount: p.bigint('number').default(0),
    feeAmount: p.bigint('number').default(0),
    band: p.integer().nullable(),
    reason: p.enum(seatRefundReasons).default('settled'),
    /** The sweep takes the oldest first. */
    lastAttemptAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'cancelled_seat_undecided',
      expression:
        'create index cancelled_seat_undecided on commerce.cancelled_seat (last_attempt_at) where decided_at is null',
    },
  ],
});
