import type { Database } from '@event-api/platform/db/database';
import type { FastifyRequest } from 'fastify';
import { readEvent } from './queries.ts';

/** Judges the event of the path before the query and the body: a foreign event is a 404 whatever they are. */
export const requireEvent = (db: Database) => async (request: FastifyRequest) => {
  const { eventId } = request.params as { eventId: string };
  await readEvent(db, request.caller.businessUnitId, eventId);
};
