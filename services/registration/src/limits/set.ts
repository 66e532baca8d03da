import type {
  EventLimits,
  setEventLimits as operation,
} from '@event-api/contracts/operator/event-limits';
import { recordAudit } from '@event-api/platform/audit/write';
import { notFound } from '@event-api/platform/core/errors';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { eventArchived } from '../errors.ts';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { lockEvent } from '../seats/lock-event.ts';
import { updateLimits } from './limits.queries.ts';

type Input = z.output<typeof operation.schema.body>;

/**
 * Sets how many reservations and seats one buyer email may have in an event, and how long seats are
 * offered to the waitlist. Existing ones stay; the next decision uses the new limits. Errors: 404
 * for an unknown event; 412 `EVENT_ARCHIVED`; 503. Locks: the event.
 */
export async function setEventLimits(
  { db, refresher }: RegistrationDeps,
  { businessUnitId, eventId, ...limits }: Input,
): Promise<EventLimits> {
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  const result = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: [],
    decide: () =>
      db.transaction(async (tx) => {
        const locked = await lockEvent(tx, scope);
        if (!locked) throw notFound('event');
        if (locked.status === 'archived') return 'event_archived' as const;
        recordAudit(tx);
        return updateLimits(tx, scope, limits);
      }),
    dependsOnProjections: (outcome) => outcome === 'event_archived',
  });
  if (result === 'event_archived') throw eventArchived();
  return { eventId, ...result };
}
