import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import type { FastifyRequest } from 'fastify';
import type { ProjectionRefresher, RecordRef } from '../messaging/projections/refresher.ts';

/** The event that a path under `/v1/events/{eventId}` names, in the unit of whoever asks. */
export const scopeOf = ({ caller, params }: FastifyRequest): EventScope => ({
  businessUnitId: caller.businessUnitId,
  eventId: (params as { eventId: string }).eventId,
});

export const eventRef = ({ businessUnitId, eventId }: EventScope): RecordRef => ({
  type: eventSnapshot.type,
  businessUnitId,
  id: eventId,
});

/**
 * Judges the event of the path before the query and the body. An event that is not known here is
 * asked for before it is a 404. Errors: 404, alike for a foreign and a nonexistent event; 503.
 */
export const requireEvent = (refresher: ProjectionRefresher) => (request: FastifyRequest) =>
  refresher.require(eventRef(scopeOf(request)));
