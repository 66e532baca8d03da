import { getAvailability } from '@event-api/contracts/http/availability';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import { settleIfDue } from '../admission/settle.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { findAvailability } from './queries.ts';
import { availabilityView } from './view.ts';

export function availabilityRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, askOwner } = deps;
  app.route({
    ...getAvailability,
    handler: async ({ caller: { businessUnitId }, params: { eventId, typeId } }) => {
      await settleIfDue(deps, { businessUnitId, eventId });
      const read = () => findAvailability(db, businessUnitId, eventId, typeId);
      const known = await read();
      if (known) return availabilityView(known);
      await askOwner.refresh([{ type: ticketTypeSnapshot.type, businessUnitId, id: typeId }]);
      const asked = await read();
      if (!asked) throw notFound();
      return availabilityView(asked);
    },
  });
}
