import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { type EventDates, findEvent } from './projections.queries.ts';

/**
 * Fetches the event from catalog and returns its dates. For decisions that must not depend on a
 * stale projection.
 * Errors: 404, 503.
 */
export async function refreshEvent(
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
  scope: EventScope,
): Promise<EventDates> {
  await refresher.refresh([eventRef(scope)]);
  const event = await findEvent(db, scope);
  if (!event) throw notFound('event');
  return event;
}
