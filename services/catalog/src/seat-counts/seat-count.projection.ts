import { seatLedgerSnapshot } from '@event-api/contracts/messages/registration';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * Projected seats of a ticket type, or units of an add-on, from registration's ledger. The id is
 * that of the ticket type or add-on.
 */
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
    /** Null until the projection is rebuilt after the release that added them. */
    offered: p.integer().nullable(),
    reserved: p.integer().nullable(),
  },
});

export const seatCountProjection = defineProjection({
  type: seatLedgerSnapshot,
  schema: 'catalog',
  entity: SeatCount,
});
