import type { CallerVerifier } from '@event-api/platform/callers';
import type { Clock } from '@event-api/platform/clock';
import type { Database } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
import { requireCaller } from '@event-api/platform/http/caller';
import { refuseImpossibleIds } from '@event-api/platform/http/path-ids';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { Logger } from '@event-api/platform/log';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { addonRoutes } from './addons/routes.ts';
import { bundleRoutes } from './bundles/routes.ts';
import { eventOperatorRoutes } from './events/routes.operator.ts';
import { eventRoutes } from './events/routes.ts';
import { perkOperatorRoutes } from './perks/routes.operator.ts';
import { ticketTypeRoutes } from './ticket-types/routes.ts';

export interface CatalogDeps {
  db: Database;
  callers: CallerVerifier;
  clock: Clock;
  faults: Faults;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
}

/** All that catalog serves. Its public listener has only the API; health and operator commands are on the internal one. */
export function buildCatalog(deps: CatalogDeps): { api: HttpServer; internal: HttpServer } {
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  refuseImpossibleIds(api);
  eventRoutes(api, deps);
  ticketTypeRoutes(api, deps);
  addonRoutes(api, deps.db);
  bundleRoutes(api, deps.db);

  const internal = createHttpServer(options);
  internal.register(async (operator) => {
    requireCaller(operator, deps.callers);
    eventOperatorRoutes(operator, deps.db);
    perkOperatorRoutes(operator, deps.db);
  });
  return { api, internal };
}
