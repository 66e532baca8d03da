import type { cancelEvent as operation } from '@event-api/contracts/operator/event-cancellation';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Clock } from '@event-api/platform/core/clock';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { eventChanged } from '../changes/object-changes.ts';
import { cancelledBefore, changedSincePreview } from '../errors.ts';
import type { Event } from './event.entity.ts';
import { eventSource, lockEvent } from './events.queries.ts';
import { decideCancelEvent } from './events.rules.ts';

/**
 * Marks an event as cancelled, which archives it. The services that have its registrations, orders
 * and doors learn it from the message and do the rest. A repeated command changes nothing.
 *
 * Errors: 404; 412 `EVENT_CANCELLED` if it was cancelled with other refunds, `EVENT_CHANGED`. Locks:
 * the event's row. Emits: the event. Reports: `event.archived`, or `event.updated` if it was
 * archived before.
 */
export async function cancelEvent(
  { db, clock }: { db: Database; clock: Clock },
  { refund, expectedVersion, ...scope }: z.output<typeof operation.schema.body>,
): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'write');
    const { status, version, cancellationRefund = null } = event;
    const current = { status, version, cancellationRefund };
    const decision = decideCancelEvent(current, { refund, expectedVersion });
    switch (decision.outcome) {
      case 'cancelled_before':
        throw cancelledBefore(decision.refund);
      case 'changed_meanwhile':
        throw changedSincePreview();
      case 'unchanged':
        recordAudit(tx, { result: 'unchanged' });
        return event;
      case 'cancelled':
        tx.em.assign(event, { ...decision.changes, cancelledAt: clock.now() });
        await tx.em.flush();
        await eventSource.emit(tx, [event.id]);
        writeChanges(tx, eventChanged(event, status));
        recordAudit(tx);
        reachStep('event.cancelled');
        return event;
    }
  });
}
