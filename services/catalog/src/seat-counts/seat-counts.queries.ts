import type { EventStatus } from '@event-api/contracts/http/events';

/** The projected seats of a ticket type, and whether its sale has ended. */
export interface SeatCounts {
  confirmed: number;
  waitlisted: number;
  offered: number;
  reserved: number;
  saleHasEnded: boolean;
}

/** Their expressions for a ticket type `t` that is joined by `joinSeats`. */
export const selectSeats = `coalesce(s.confirmed, 0) as confirmed, coalesce(s.waitlisted, 0) as waitlisted,
  coalesce(s.offered, 0) as offered, coalesce(s.reserved, 0) as reserved,
  coalesce(t.closes_at <= statement_timestamp(), false) as "saleHasEnded"`;

export const joinSeats = 'left join catalog.seat_count s on s.id = t.id';

/** The event of a record, which decides about its remaining seats. */
export interface StatusOfEvent {
  eventStatus: EventStatus;
}

/** Its expression, in statements whose first two values are the scope. */
export const eventStatusSql =
  '(select e.status from catalog.event e where (e.business_unit_id = $1) is true and e.id = $2)';
