import { storableIssue } from '@event-api/contracts/http/fields';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../core/errors.ts';
import type { ProjectionRefresher, RecordRef } from '../messaging/projections/refresher.ts';

/** The event of a path under `/v1/events/{eventId}`, in the business unit of the caller. */
export const scopeOf = ({ caller, params }: FastifyRequest): EventScope => ({
  businessUnitId: caller.businessUnitId,
  eventId: (params as { eventId: string }).eventId,
});

export const eventRef = ({ businessUnitId, eventId }: EventScope): RecordRef => ({
  type: eventSnapshot.type,
  businessUnitId,
  id: eventId,
  kind: 'event',
});

/**
 * Requires the event of the path before the query and the body are validated. An event without a
 * projection is fetched from its owner first. Errors: 404, the same for an event of another
 * business unit and a missing one;
 * 503.
 */
export const requireEvent = (refresher: ProjectionRefresher) => (request: FastifyRequest) =>
  refresher.require(eventRef(scopeOf(request)));

/** Responds with 404 to an id that no stored record can have, such as one with a NUL. */
export function rejectMalformedIds(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ params }) => {
    const ids = Object.values((params ?? {}) as Record<string, string>);
    if (ids.some((id) => storableIssue(id) !== null)) throw notFound();
  });
}
