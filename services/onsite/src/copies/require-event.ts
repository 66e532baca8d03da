import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import type { Db } from '@event-api/platform/db/database';
import { notFound } from '@event-api/platform/errors';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import type { FastifyRequest } from 'fastify';
import { findEvent } from './queries.ts';

interface Deps {
  db: Db;
  askOwner: AskOwner;
}

export const scopeOf = ({ caller, params }: FastifyRequest): EventScope => ({
  businessUnitId: caller.businessUnitId,
  eventId: (params as { eventId: string }).eventId,
});

/**
 * Judges the event of the path before the query and the body. An event that is not known here is
 * asked for before it is a 404. Errors: 404, alike for a foreign and a nonexistent event; 503.
 */
export const requireEvent = (deps: Deps) => (request: FastifyRequest) =>
  knowEvent(deps, scopeOf(request));

/** The same at a door, where nobody can wait: while catalog is away, what is known here stands. Errors: 404. */
export const requireEventAtDoor = (deps: Deps) => async (request: FastifyRequest) => {
  const scope = scopeOf(request);
  if (await findEvent(deps.db, scope)) return;
  await askCatalog(deps, scope).catch(() => {});
  if (!(await findEvent(deps.db, scope))) throw notFound();
};

const askCatalog = ({ askOwner }: Deps, { businessUnitId, eventId }: EventScope) =>
  askOwner.refresh([{ type: eventSnapshot.type, businessUnitId, id: eventId }]);

async function knowEvent(deps: Deps, scope: EventScope): Promise<void> {
  if (await findEvent(deps.db, scope)) return;
  await refreshEvent(deps, scope);
}

/** Has the event as catalog knows it now, for what must not rest on a copy. Errors: 404, 503. */
export async function refreshEvent(
  deps: Deps,
  scope: EventScope,
): Promise<{ agendaEpoch: number }> {
  await askCatalog(deps, scope);
  const event = await findEvent(deps.db, scope);
  if (!event) throw notFound();
  return event;
}
