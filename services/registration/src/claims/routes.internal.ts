import * as operations from '@event-api/contracts/internal/seats';
import type { HttpServer } from '@event-api/platform/http/server';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { type ClaimDeps, claimSeats } from './claim.ts';
import { fulfilClaim } from './fulfil.ts';
import { exceededLimit } from './limits/rules.ts';
import { releaseClaim } from './release.ts';
import { revokeOrder } from './revoke.ts';
import { claimView, fulfilmentView } from './view.ts';

export function claimRoutes(
  app: HttpServer,
  deps: ClaimDeps & { telemetry: Pick<Telemetry, 'metrics'> },
): void {
  const countLimited = deps.telemetry.metrics.counter('registration.claims.limited');
  for (const limit of ['holds', 'seats']) countLimited({ limit }, 0);

  app.route({
    ...operations.claimSeats,
    handler: async ({ body }) => {
      const decision = await claimSeats(deps, body);
      const limit = exceededLimit(decision);
      if (limit) countLimited({ limit });
      return claimView(decision, body.seats);
    },
  });

  app.route({
    ...operations.fulfilClaim,
    handler: async ({ body }) => fulfilmentView(await fulfilClaim(deps, body)),
  });

  app.route({
    ...operations.releaseClaim,
    handler: async ({ body: { claimId, onlyIfOver, ...scope } }) => ({
      outcome: await releaseClaim(deps, scope, claimId, onlyIfOver),
    }),
  });

  app.route({
    ...operations.revokeOrder,
    handler: async ({ body: { orderId, ...scope } }) => ({
      cancelled: await revokeOrder(deps, scope, orderId),
    }),
  });
}
