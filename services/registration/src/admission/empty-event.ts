import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import { lockEvent } from '../seats/lock-event.ts';
import type { AdmissionDeps } from './deps.ts';
import {
  countActive,
  findActiveRegistrations,
  findActiveReservations,
  isClosed,
  writeClosed,
} from './empty-event.queries.ts';

/**
 * Cancels up to `limit` registrations and releases up to `limit` reservations of a cancelled event,
 * and returns how many are left. The event is closed first, under its lock: what comes later is
 * refused, so what is left only decreases. Each is a request of the admission queue, which other
 * requests share: their batches are as long as others. Safe to retry.
 *
 * Errors: 404 for an unknown event; 503. Locks: the event. Emits: the event's seats and
 * registrations. Reports: `registration.cancelled`.
 */
export async function emptyEvent(
  { db, admission, refresher }: AdmissionDeps,
  scope: EventScope,
  limit: number,
): Promise<number> {
  await refresher.require(eventRef(scope));
  await closeAdmission(db, scope);
  reachStep('event.admission_closed');
  const [registrationIds, reservationIds] = await Promise.all([
    findActiveRegistrations(db, scope, limit),
    findActiveReservations(db, scope, limit),
  ]);
  await Promise.all([
    ...registrationIds.map((registrationId) =>
      admission.submit<'cancel'>(scope, { kind: 'cancel', registrationId }),
    ),
    ...reservationIds.map((reservationId) =>
      admission.submit<'release'>(scope, { kind: 'release', reservationId, onlyIfExpired: false }),
    ),
  ]);
  reachStep('event.emptied');
  const { confirmed, pending, waitlisted, reservations } = await countActive(db, scope);
  return confirmed + pending + waitlisted + reservations;
}

/**
 * Marks the event as cancelled on the row that every batch locks. The projection alone is not
 * enough: a batch that waits for the lock has read it before.
 */
async function closeAdmission(db: Database, scope: EventScope): Promise<void> {
  if (await isClosed(db, scope)) return;
  await db.transaction(async (tx) => {
    if (!(await lockEvent(tx, scope))) throw notFound('event');
    await writeClosed(tx, scope);
  });
}
