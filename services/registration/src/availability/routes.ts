import { getAvailability } from '@event-api/contracts/http/availability';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import { expireAndPromoteIfDue } from '../admission/expire-and-promote.ts';
import type { RegistrationDeps } from '../admission/register.ts';
import { findAvailability } from './queries.ts';
import { availabilityView } from './view.ts';

export function availabilityRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, refresher } = deps;
  app.route({
    ...getAvailability,
    handler: async ({ caller: { businessUnitId }, params: { eventId, typeId } }) => {
      await expireAndPromoteIfDue(deps, { businessUnitId, eventId });
      const read = () => findAvailability(db, businessUnitId, eventId, typeId);
      const row = await read();
      if (row) return availabilityView(row);
      await refresher.refresh([{ type: ticketTypeSnapshot.type, businessUnitId, id: typeId }]);
      const refreshed = await read();
      if (!refreshed) throw notFound();
      return availabilityView(refreshed);
    },
  });
}
