import { promoteWaitlist as operation } from '@event-api/contracts/internal/waitlist';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { unauthenticated } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import { type PromoteDeps, promoteWaitlist } from './promote.ts';

export function waitlistRoutes(app: HttpServer, deps: PromoteDeps): void {
  app.route({
    ...operation,
    // The request carries the record, so there is no projection to wait for.
    config: { ...operation.config, skipReadAfter: true },
    handler: async ({ caller, body }) => {
      if (caller.issuer !== ticketTypeSnapshot.origin) throw unauthenticated();
      return promoteWaitlist(deps, body);
    },
  });
}
