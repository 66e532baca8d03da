import type { Clock } from '@event-api/platform/core/clock';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { ServiceDefinition } from '@event-api/platform/service/run-service';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { addonSource } from './addons/addons.queries.ts';
import { addonRoutes } from './addons/addons.routes.ts';
import { bundleSource } from './bundles/bundles.queries.ts';
import { bundleRoutes } from './bundles/bundles.routes.ts';
import { type CatalogSettings, config } from './config.ts';
import { eventSource } from './events/events.queries.ts';
import { eventInternalRoutes } from './events/events.routes.internal.ts';
import { eventOperatorRoutes } from './events/events.routes.operator.ts';
import { eventRoutes } from './events/events.routes.ts';
import { formOperatorRoutes } from './forms/forms.routes.operator.ts';
import { formRoutes } from './forms/forms.routes.ts';
import { catalogOrm } from './orm.ts';
import { perkSource } from './perks/perks.queries.ts';
import { perkOperatorRoutes } from './perks/perks.routes.operator.ts';
import { refundPolicyInternalRoutes } from './refund-policies/refund-policies.routes.internal.ts';
import { refundPolicyOperatorRoutes } from './refund-policies/refund-policies.routes.operator.ts';
import { refundPolicyRoutes } from './refund-policies/refund-policies.routes.ts';
import { createPromotion, type Promotion } from './seat-counts/promote.ts';
import { seatCountProjection } from './seat-counts/seat-count.projection.ts';
import { taxRateOperatorRoutes } from './tax-rates/tax-rates.routes.operator.ts';
import { ticketTypeSource } from './ticket-types/ticket-types.queries.ts';
import { ticketTypeRoutes } from './ticket-types/ticket-types.routes.ts';

export interface CatalogDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  refresher: ProjectionRefresher;
  promotion: Promotion;
}

/**
 * The service that owns events, ticket types, add-ons, bundles, perks, forms, refund policies
 * and tax rates.
 */
export const catalog: ServiceDefinition<CatalogSettings, CatalogDeps> = {
  name: 'catalog',
  settings: config,
  orm: catalogOrm,
  projections: [seatCountProjection],
  sources: [eventSource, ticketTypeSource, addonSource, bundleSource, perkSource],
  setup: ({ client, ...context }) => ({
    ...context,
    promotion: createPromotion((timeoutMs) => client('registration', { timeoutMs })),
  }),
  routes(api, deps) {
    eventRoutes(api, deps);
    ticketTypeRoutes(api, deps);
    addonRoutes(api, deps.db);
    bundleRoutes(api, deps.db);
    formRoutes(api, deps.db);
    refundPolicyRoutes(api, deps.db);
  },
  internalRoutes(internal, deps) {
    const { db } = deps;
    eventInternalRoutes(internal, db);
    refundPolicyInternalRoutes(internal, db);
    eventOperatorRoutes(internal, deps);
    formOperatorRoutes(internal, db);
    refundPolicyOperatorRoutes(internal, db);
    perkOperatorRoutes(internal, db);
    taxRateOperatorRoutes(internal, db);
  },
};
