import { defineEntity, p } from '@mikro-orm/core';

/** Registration's count of the seats of a ticket type; the id is the ticket type's. */
export const SeatCount = defineEntity({
  name: 'SeatCount',
  tableName: 'seat_count',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    version: p.bigint('number'),
    confirmed: p.integer(),
    waitlisted: p.integer(),
  },
});
