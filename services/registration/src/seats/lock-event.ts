import {
  defaultMaxHoldsPerEmail,
  defaultWaitlistOfferMinutes,
} from '@event-api/contracts/event-limit-defaults';
import type { CapacityGroup, EventStatus } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { EventProjection } from '../projections/event.projection.ts';
import { EventLock } from './seat.entity.ts';
import type { BuyerLimits } from './seats.rules.ts';

/** An event as read under its lock. */
export interface LockedEvent {
  /** The database's time after the lock was taken. */
  now: Date;
  status: EventStatus;
  isCancelled: boolean;
  endsAt: Date | null;
  capacityGroups: readonly CapacityGroup[];
  limits: BuyerLimits;
  /** How long a seat is offered to a waitlisted registration. */
  offerMs: number;
  /**
   * Whether this lock is the first one of the event. Statements that were sent behind it did not
   * wait for it.
   */
  isCreated: boolean;
}

const limits = columnsOf(EventLock, 'l', { omit: ['eventId', 'businessUnitId', 'cancelledAt'] });
const event = columnsOf(EventProjection, 'e', { only: ['status', 'endsAt', 'capacityGroups'] });
type LockedRow = RowOf<typeof limits> & RowOf<typeof event> & { now: Date; isCancelled: boolean };

// The limits and the cancellation are columns of the locked row, so that a transaction that waited
// for the lock reads their current values. The projection may be older, or newer after a restore.
const lockRow = statement<LockedRow>(
  'admission_lock',
  `with locked as materialized (
     select event_id, max_holds_per_email, max_seats_per_email, waitlist_offer_minutes, cancelled_at
     from registration.event_lock
     where event_id = $1 and business_unit_id = $2 for update
   )
   select clock_timestamp() as now, ${event.sql}, ${limits.sql},
     l.cancelled_at is not null or e.cancelled_at is not null as "isCancelled"
   from locked l join registration.event_projection e on e.id = l.event_id`,
);

const insertRow = statement(
  'admission_create',
  `insert into registration.event_lock (event_id, business_unit_id)
   select id, business_unit_id from registration.event_projection where id = $1 and business_unit_id = $2
   on conflict do nothing`,
);

/**
 * Locks the event, the only lock that admission takes, and returns it with the database's time
 * after that. Returns null if the projection does not have the event.
 */
export async function lockEvent(
  tx: Tx,
  { eventId, businessUnitId }: EventScope,
): Promise<LockedEvent | null> {
  const [existing] = await tx.query(lockRow, [eventId, businessUnitId]);
  if (existing) return lockedEvent(existing, false);
  await tx.query(insertRow, [eventId, businessUnitId]);
  const [created] = await tx.query(lockRow, [eventId, businessUnitId]);
  return created ? lockedEvent(created, true) : null;
}

const lockedEvent = (
  {
    now,
    status,
    endsAt,
    capacityGroups,
    maxHoldsPerEmail,
    maxSeatsPerEmail,
    waitlistOfferMinutes,
    isCancelled,
  }: LockedRow,
  isCreated: boolean,
): LockedEvent => ({
  now,
  status: isCancelled ? 'archived' : status,
  isCancelled,
  endsAt,
  capacityGroups: capacityGroups ?? [],
  offerMs: (waitlistOfferMinutes ?? defaultWaitlistOfferMinutes) * 60_000,
  limits: { maxHolds: maxHoldsPerEmail ?? defaultMaxHoldsPerEmail, maxSeats: maxSeatsPerEmail },
  isCreated,
});
