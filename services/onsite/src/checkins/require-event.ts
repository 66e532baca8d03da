import { ApiError, notFound } from '@event-api/platform/core/errors';
import { eventRef, scopeOf } from '@event-api/platform/http/record-scope';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { FastifyRequest } from 'fastify';
import { timeouts } from '../timeouts.ts';

/**
 * Checks that the event of the path exists before a check-in. Scans cannot wait: while catalog is unavailable, the
 * projection decides, and an event that is not projected is a 404. Errors: 404.
 */
export const requireEventAtDoor = (refresher: ProjectionRefresher) => (request: FastifyRequest) =>
  refresher.require(eventRef(scopeOf(request)), timeouts.ownerMs).catch((error: unknown) => {
    throw error instanceof ApiError ? notFound() : error;
  });
