import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { BuyerLimits, BuyerState } from '../seats/seats.rules.ts';

// Counts expired reservations that are still open: the batch closes them before it decides.
const holdsOfBuyers = statement<{ email: string; holds: number }>(
  'admission_buyer_holds',
  `select b.email, (
     select count(*)::int from registration.seat_reservation c
     where c.event_id = $1 and c.buyer_email = b.email and c.state = 'active' and c.business_unit_id = $2
   ) as holds
   from unnest($3::text[]) b(email)`,
);

// Counts active registrations and open seats of the buyer's orders, and the buyer's own registration
// if no order created it.
const seatsOfBuyers = statement<{ email: string; seats: number }>(
  'admission_buyer_seats',
  `select b.email, (
     (select coalesce(sum(c.seat_count), 0) from registration.seat_reservation c
      where c.event_id = $1 and c.buyer_email = b.email and c.state = 'active' and c.business_unit_id = $2)
     + (select count(*) from registration.seat_reservation c
        join registration.registration r on r.order_id = c.id and r.active_email is not null
        where c.event_id = $1 and c.buyer_email = b.email and c.state = 'fulfilled' and c.business_unit_id = $2)
     + (select count(*) from registration.seat_reservation c
        join registration.seat_reservation s on s.order_id = c.id and s.state = 'active'
        where c.event_id = $1 and c.buyer_email = b.email and c.state = 'fulfilled' and c.business_unit_id = $2)
     + (select count(*) from registration.registration r
        where r.event_id = $1 and r.active_email = b.email and r.order_id is null and (r.business_unit_id = $2) is true)
   )::int as seats
   from unnest($3::text[]) b(email)`,
);

/** Reads the number of active reservations of buyers in an event, under its lock. */
export async function readHolds(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  emails: readonly string[],
): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map();
  const rows = await tx.query(holdsOfBuyers, [eventId, businessUnitId, emails]);
  return new Map(rows.map(({ email, holds }) => [email, holds]));
}

/**
 * Adds the seats of these buyers, under the lock. Seats are counted only if the event limits them.
 */
export async function withSeats(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { maxSeats }: BuyerLimits,
  holds: ReadonlyMap<string, number>,
): Promise<Map<string, BuyerState>> {
  const rows =
    maxSeats === null || holds.size === 0
      ? []
      : await tx.query(seatsOfBuyers, [eventId, businessUnitId, [...holds.keys()]]);
  const seatsOf = new Map(rows.map(({ email, seats }) => [email, seats]));
  return new Map(
    [...holds].map(([email, count]) => [email, { holds: count, seats: seatsOf.get(email) ?? 0 }]),
  );
}
