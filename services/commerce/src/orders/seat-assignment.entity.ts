import { defineEntity, p } from '@mikro-orm/core';

/**
 * An open seat whose registration is known, and which its order does not show yet. A trigger of the
 * projection of registrations inserts it, and the sweep deletes it once it is stored in the order.
 */
export const SeatAssignment = defineEntity({
  name: 'SeatAssignment',
  tableName: 'seat_assignment',
  properties: {
    seatId: p.text().primary(),
    orderId: p.text(),
    /** A cancelled seat waits while its registration is here. */
    registrationId: p.text().index('seat_assignment_registration'),
    businessUnitId: p.text(),
    eventId: p.text(),
    /** The sweep takes the oldest first. */
    lastAttemptAt: p.datetime(3).index('seat_assignment_due'),
  },
});
