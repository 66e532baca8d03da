import { getAvailability } from '@event-api/contracts/http/availability';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { findAvailability } from './availability.queries.ts';
import { availabilityView } from './availability.view.ts';

export function availabilityRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, refresher } = deps;
  app.route({
    ...getAvailability,
    handler: async ({ caller: { businessUnitId }, params: { eventId, typeId } }) => {
      await deps.expireAndPromoteIfDue({ businessUnitId, eventId });
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
