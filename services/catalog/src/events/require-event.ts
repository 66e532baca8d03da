import type { Database } from '@event-api/platform/db/database';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { FastifyRequest } from 'fastify';
import { readEvent } from './events.queries.ts';

/**
 * Checks the event of the path before the query and the body, so an event of another business unit
 * is a 404 for any input.
 */
export const requireEvent = (db: Database) => async (request: FastifyRequest) => {
  await readEvent(db, scopeOf(request));
};
