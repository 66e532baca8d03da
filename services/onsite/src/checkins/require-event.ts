import type { EventScope } from '@event-api/contracts/internal/scope';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import { eventRef, scopeOf } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { FastifyRequest } from 'fastify';
import { timeouts } from '../timeouts.ts';

/**
 * Checks that an event exists before a check-in. Scans cannot wait: while catalog is unavailable, the projection
 * decides, and an event that is not projected is a 404. Errors: 404.
 */
export const requireEventOfDoor = (
  refresher: ProjectionRefresher,
  scope: EventScope,
): Promise<void> =>
  confirmEvent(refresher, scope)
    .then(() => refresher.require(eventRef(scope), timeouts.ownerMs))
    .catch((error: unknown) => {
      throw error instanceof ApiError ? notFound('event') : error;
    });

/** Fetches the event while the projections are not confirmed. An owner that does not respond changes nothing. */
async function confirmEvent(refresher: ProjectionRefresher, scope: EventScope): Promise<void> {
  try {
    await refresher.confirm([eventRef(scope)], timeouts.ownerMs);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Checks the event of the path, before the body is validated. Errors: 404. */
export const requireEventAtDoor = (refresher: ProjectionRefresher) => (request: FastifyRequest) =>
  requireEventOfDoor(refresher, scopeOf(request));
