import type { EventScope } from '@event-api/contracts/internal/scope';
import type { EventCancellation } from '@event-api/contracts/operator/event-cancellation';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { countDecidedOrders, countOrdersLeft, findCancellation } from './cancellations.queries.ts';
import { findEvent } from './event.queries.ts';
import { findFailedRefunds, sumRefundsSince } from './refunds.queries.ts';

/** How far the cancellation of an event is; null for one that takes place. Errors: 404; 503. */
export async function readProgress(
  { db, refresher }: { db: Database; refresher: ProjectionRefresher },
  scope: EventScope,
): Promise<EventCancellation | null> {
  await refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
  const event = await findEvent(db, scope);
  if (!event?.cancelledAt || event.refund === null) return null;
  const { cancelledAt, refund } = event;
  const [stored, orders, decided, refunds, failures] = await Promise.all([
    findCancellation(db, scope),
    countOrdersLeft(db, scope),
    countDecidedOrders(db, scope),
    sumRefundsSince(db, scope, cancelledAt),
    findFailedRefunds(db, scope, cancelledAt),
  ]);
  const registrations = stored?.registrations ?? 0;
  return {
    eventId: scope.eventId,
    refund,
    cancelledAt: cancelledAt.toISOString(),
    finishedAt: stored?.finishedAt?.toISOString() ?? null,
    openOrders: stepOf(stored?.openOrders ?? orders.open, orders.open),
    registrations: stepOf(registrations, stored?.registrationsLeft ?? registrations),
    orders: stepOf(orders.undecided + decided, orders.undecided),
    refunds,
    failures,
    problem: stored?.problem ?? null,
  };
}

/** What came after the beginning of the cancellation belongs to the step, too. */
const stepOf = (total: number, left: number) => ({ total: Math.max(total, left), left });
