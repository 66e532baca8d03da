import * as operations from '@event-api/contracts/internal/reservations';
import type { HttpServer } from '@event-api/platform/http/server';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { exceededLimit } from '../reservations/limits/rules.ts';
import { fulfilmentView, reservationView } from '../reservations/view.ts';
import { fulfilReservation } from './fulfil.ts';
import { releaseReservation } from './release.ts';
import { type ReservationDeps, reserveSeats } from './reserve.ts';
import { revokeOrder } from './revoke.ts';

export function reservationRoutes(
  app: HttpServer,
  deps: ReservationDeps & { telemetry: Pick<Telemetry, 'metrics'> },
): void {
  const countLimited = deps.telemetry.metrics.counter('registration.claims.limited');
  for (const limit of ['holds', 'seats']) countLimited({ limit }, 0);

  app.route({
    ...operations.reserveSeats,
    handler: async ({ body }) => {
      const decision = await reserveSeats(deps, body);
      const limit = exceededLimit(decision);
      if (limit) countLimited({ limit });
      return reservationView(decision, body.seats);
    },
  });

  app.route({
    ...operations.fulfilReservation,
    handler: async ({ body }) => fulfilmentView(await fulfilReservation(deps, body)),
  });

  app.route({
    ...operations.releaseReservation,
    handler: async ({ body: { claimId, onlyIfOver, ...scope } }) => ({
      outcome: await releaseReservation(deps, scope, claimId, onlyIfOver),
    }),
  });

  app.route({
    ...operations.revokeOrder,
    handler: async ({ body: { orderId, ...scope } }) => ({
      cancelled: await revokeOrder(deps, scope, orderId),
    }),
  });
}
