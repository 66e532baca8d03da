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
type LockedRow = RowOf<typeof limits> & { now: Date; closedAt: Date | null };

// The limits and the cancellation are columns of the locked row, so that a transaction that waited
// for the lock reads their current values. The projection may be older, or newer after a restore.
const lockRow = statement<LockedRow>(
  'admission_lock',
  `with locked as materialized (
     select event_id, max_holds_per_email, max_seats_per_email, waitlist_offer_minutes, cancelled_at
     from registration.event_lock
     where event_id = $1 and business_unit_id = $2 for update
   )
   select clock_timestamp() as now, ${limits.sql}, l.cancelled_at as "closedAt" from locked l`,
);

const event = columnsOf(EventProjection, 'e', {
  only: ['status', 'endsAt', 'cancelledAt', 'capacityGroups'],
});
type EventRow = RowOf<typeof event>;

// A statement of its own: a join in the statement that waits for the lock reads what was committed
// before it waited. An event that is archived meanwhile would admit, and a group that is lowered
// meanwhile would sell its former seats.
const eventBehindLock = statement<EventRow>(
  'admission_event',
  `select ${event.sql} from registration.event_projection e where e.id = $1 and (e.business_unit_id = $2) is true`,
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
  const ids = [eventId, businessUnitId];
  const lock = async (isCreated: boolean) => {
    const [[row], [found]] = await Promise.all([
      tx.query(lockRow, ids),
      tx.query(eventBehindLock, ids),
    ]);
    return row && found ? lockedEvent({ ...row, ...found }, isCreated) : null;
  };
  const existing = await lock(false);
  if (existing) return existing;
  await tx.query(insertRow, ids);
  return lock(true);
}

function lockedEvent(
  {
    now,
    status,
    endsAt,
    capacityGroups,
    maxHoldsPerEmail,
    maxSeatsPerEmail,
    waitlistOfferMinutes,
    closedAt,
    cancelledAt,
  }: LockedRow & EventRow,
  isCreated: boolean,
): LockedEvent {
  const isCancelled = closedAt !== null || cancelledAt !== null;
  return {
    now,
    status: isCancelled ? 'archived' : status,
    isCancelled,
    endsAt,
    capacityGroups: capacityGroups ?? [],
    offerMs: (waitlistOfferMinutes ?? defaultWaitlistOfferMinutes) * 60_000,
    limits: { maxHolds: maxHoldsPerEmail ?? defaultMaxHoldsPerEmail, maxSeats: maxSeatsPerEmail },
    isCreated,
  };
}
