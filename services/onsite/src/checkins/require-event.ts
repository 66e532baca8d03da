import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import { eventRef, scopeOf } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { FastifyRequest } from 'fastify';
import { timeouts } from '../timeouts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the event of a check-in exists for certain. */
    isEventConfirmed: boolean;
  }
}

/**
 * Checks that an event exists before a check-in. Scans cannot wait: while catalog is unavailable,
 * the projection decides, and an event that is not projected is a 404. Returns whether the event is
 * confirmed. Errors: 404.
 */
export async function requireEventOfDoor(
  refresher: ProjectionRefresher,
  scope: EventScope,
): Promise<boolean> {
  const isConfirmed = await confirmEvent(refresher, scope);
  await refresher.require(eventRef(scope), timeouts.ownerMs).catch((error: unknown) => {
    throw error instanceof ApiError ? notFound('event') : error;
  });
  return isConfirmed;
}

/**
 * Fetches the event while the projections are not confirmed. An owner that does not respond changes
 * nothing.
 */
async function confirmEvent(refresher: ProjectionRefresher, scope: EventScope): Promise<boolean> {
  try {
    if (await refresher.confirm([eventRef(scope)], timeouts.ownerMs)) return true;
    return (await refresher.statusOf([eventSnapshot.type])) === 'confirmed';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

/** Checks the event of the path, before the body is validated. Errors: 404. */
export const requireEventAtDoor =
  (refresher: ProjectionRefresher) =>
  async (request: FastifyRequest): Promise<void> => {
    request.isEventConfirmed = await requireEventOfDoor(refresher, scopeOf(request));
  };
