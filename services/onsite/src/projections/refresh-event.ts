import type { EventScope } from '@event-api/contracts/internal/scope';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { eventRef, scopeOf } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { FastifyRequest } from 'fastify';
import { doorTimeouts } from '../timeouts.ts';
import { type EventDates, findEvent } from './queries.ts';

/**
 * Judges the event of the path at a door, where nobody can wait: while catalog is away, what is known here
 * stands. Errors: 404.
 */
export const requireEventAtDoor = (refresher: ProjectionRefresher) => (request: FastifyRequest) =>
  refresher.require(eventRef(scopeOf(request)), doorTimeouts.ownerMs).catch((error: unknown) => {
    throw error instanceof ApiError ? notFound() : error;
  });

/** Has the event as catalog knows it now, for what must not rest on a copy. Errors: 404, 503. */
export async function refreshEvent(
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
  scope: EventScope,
): Promise<EventDates> {
  await refresher.refresh([eventRef(scope)]);
  const event = await findEvent(db, scope);
  if (!event) throw notFound('event');
  return event;
}
