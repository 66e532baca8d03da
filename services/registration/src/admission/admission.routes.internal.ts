import * as cancellation from '@event-api/contracts/internal/event-cancellation';
import * as operations from '@event-api/contracts/internal/reservations';
import * as waitlist from '@event-api/contracts/internal/waitlist';
import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { unauthenticated } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { checkAttendees, findUndeliverable } from '../reservations/check-attendees.ts';
import { findFulfilledReservations } from '../reservations/reservations.queries.ts';
import { exceededLimit } from '../reservations/reservations.rules.ts';
import { fulfilmentView, reservationView } from '../reservations/reservations.view.ts';
import { assignSeat } from './assign.ts';
import { changeSeatTypes } from './change-types.ts';
import { countActive } from './empty-event.queries.ts';
import { emptyEvent } from './empty-event.ts';
import { fulfilReservation } from './fulfil.ts';
import { holdSeatTypes } from './hold-types.ts';
import { type PromoteDeps, promoteWaitlist, promoteWaitlistsOfGroups } from './promote.ts';
import { releaseReservation, returnUnits, revokeOrder, revokeSeats } from './release.ts';
import { type ReservationDeps, reserveSeats } from './reserve.ts';

export function reservationRoutes(
  app: HttpServer,
  deps: ReservationDeps & { telemetry: Pick<Telemetry, 'metrics'> },
): void {
  const countLimited = deps.telemetry.metrics.counter('registration.reservations.limited');
  for (const limit of ['holds', 'seats']) countLimited({ limit }, 0);

  app.route({
    ...operations.reserveSeats,
    handler: async ({ body }) => {
      const decision = await reserveSeats(deps, body);
      const limit = exceededLimit(decision);
      if (limit) countLimited({ limit });
      return reservationView(decision);
    },
  });

  app.route({
    ...operations.checkReservation,
    handler: async ({ body }) => checkAttendees(deps.db, body),
  });

  app.route({
    ...operations.findUndeliverable,
    handler: async ({ body: { reservations, ...scope } }) => ({
      reservationIds: await findUndeliverable(deps.db, scope, reservations),
    }),
  });

  app.route({
    ...operations.fulfilReservation,
    handler: async ({ body }) => fulfilmentView(await fulfilReservation(deps, body)),
  });

  app.route({
    ...operations.releaseReservation,
    handler: async ({ body: { reservationId, onlyIfExpired, ...scope } }) => ({
      outcome: await releaseReservation(deps, scope, reservationId, onlyIfExpired),
    }),
  });

  app.route({
    ...operations.revokeOrder,
    handler: async ({ body: { orderId, ...scope } }) => revokeOrder(deps, scope, orderId),
  });

  app.route({
    ...operations.revokeSeats,
    handler: async ({ body: { orderId, registrationIds, ...scope } }) =>
      revokeSeats(deps, scope, { orderId, registrationIds }),
  });

  app.route({
    ...operations.returnUnits,
    handler: async ({ body: { orderId, units, ...scope } }) => {
      await returnUnits(deps, scope, { orderId, units });
      return {};
    },
  });

  app.route({
    ...cancellation.countActive,
    handler: async ({ body }) => countActive(deps.db, body),
  });

  app.route({
    ...cancellation.emptyEvent,
    handler: async ({ body: { limit, ...scope } }) => ({
      left: await emptyEvent(deps, scope, limit),
    }),
  });

  app.route({
    ...operations.assignSeat,
    handler: async ({ body }) => assignSeat(deps, body),
  });

  app.route({
    ...operations.changeSeatTypes,
    handler: async ({ body }) => changeSeatTypes(deps, body),
  });

  app.route({
    ...operations.holdSeatTypes,
    handler: async ({ body }) => holdSeatTypes(deps, body),
  });

  app.route({
    ...operations.listFulfilledReservations,
    handler: async ({ body: { businessUnitId, ...page } }) => ({
      reservations: await findFulfilledReservations(deps.db, businessUnitId, page),
    }),
  });
}

/** The requests carry the record, so there is no projection to wait for. */
export function waitlistRoutes(app: HttpServer, deps: PromoteDeps): void {
  app.route({
    ...waitlist.promoteWaitlist,
    config: { ...waitlist.promoteWaitlist.config, skipReadAfter: true },
    handler: async ({ caller, body }) => {
      if (caller.issuer !== ticketTypeSnapshot.origin) throw unauthenticated();
      return promoteWaitlist(deps, body);
    },
  });

  app.route({
    ...waitlist.promoteWaitlistsOfGroups,
    config: { ...waitlist.promoteWaitlistsOfGroups.config, skipReadAfter: true },
    handler: async ({ caller, body }) => {
      if (caller.issuer !== eventSnapshot.origin) throw unauthenticated();
      return promoteWaitlistsOfGroups(deps, body);
    },
  });
}
