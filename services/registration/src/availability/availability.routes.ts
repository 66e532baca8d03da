import { type Availability, getAvailability } from '@event-api/contracts/http/availability';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { availableSeats } from '../seats/seats.rules.ts';
import { type AvailabilityRow, findAvailability } from './availability.queries.ts';

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

/** The seats of a ticket type. `remaining` is 0 while available seats go to the waitlist. */
function availabilityView(row: AvailabilityRow): z.input<typeof Availability> {
  const { capacity, confirmed, waitlisted, reserved, canPromote } = row;
  const free = capacity === null ? null : availableSeats({ capacity, confirmed, reserved });
  return {
    capacity,
    confirmed,
    waitlisted,
    held: reserved,
    remaining: free !== null && canPromote ? 0 : free,
  };
}
