import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { notFound } from '@event-api/platform/errors';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import type { FastifyRequest } from 'fastify';

const knownEvent = statement<{ id: string }>(
  'commerce_known_event',
  'select id from commerce.event_copy where business_unit_id = $1 and id = $2',
);

/**
 * Judges the event of the path before the query and the body. An event that is not known here is
 * asked for before it is a 404. Errors: 404, alike for a foreign and a nonexistent event; 503.
 */
export const requireEvent = (db: Db, askOwner: AskOwner) => async (request: FastifyRequest) => {
  const { eventId } = request.params as { eventId: string };
  await knowEvent(db, askOwner, { businessUnitId: request.caller.businessUnitId, eventId });
};

/** Errors: 404, 503. */
export async function knowEvent(
  db: Db,
  askOwner: AskOwner,
  { businessUnitId, eventId }: EventScope,
): Promise<void> {
  const isKnown = async () => (await db.query(knownEvent, [businessUnitId, eventId])).length > 0;
  if (await isKnown()) return;
  await askOwner.refresh([{ type: eventSnapshot.type, businessUnitId, id: eventId }]);
  if (!(await isKnown())) throw notFound();
}
