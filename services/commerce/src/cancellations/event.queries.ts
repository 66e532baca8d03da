import type { CancellationRefund } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

export interface EventTerms {
  version: number;
  startsAt: Date | null;
  timezone: string;
  cancelledAt: Date | null;
  refund: CancellationRefund | null;
  now: Date;
}

const terms = statement<EventTerms>(
  'cancellation_event',
  `select e.version, e.starts_at as "startsAt", coalesce(e.timezone, 'UTC') as timezone,
     e.cancelled_at as "cancelledAt", e.cancellation_refund as refund, clock_timestamp() as now
   from commerce.event_projection e where e.business_unit_id = $1 and e.id = $2`,
);

/** What the cancellation of an event depends on; null if the projection does not have the event. */
export async function findEvent(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<EventTerms | null> {
  const [row] = await db.query(terms, [businessUnitId, eventId]);
  return row ?? null;
}

const byStatus = statement<{ paid: number; held: number; awaitingPayment: number }>(
  'cancellation_count_statuses',
  `select (count(*) filter (where o.status = 'paid'))::int as paid,
     (count(*) filter (where o.status = 'held' and o.hold_expires_at > clock_timestamp()))::int as held,
     (count(*) filter (where o.status = 'awaiting_payment'))::int as "awaitingPayment"
   from commerce.customer_order o where o.business_unit_id = $1 and o.event_id = $2`,
);

/** Counts the orders of an event that its cancellation would end. */
export async function countOrdersByStatus(db: Db, { businessUnitId, eventId }: EventScope) {
  const [row] = await db.query(byStatus, [businessUnitId, eventId]);
  return row ?? { paid: 0, held: 0, awaitingPayment: 0 };
}
