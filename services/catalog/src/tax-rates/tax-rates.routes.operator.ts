import * as operations from '@event-api/contracts/operator/tax-rates';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { archiveTaxRate, createTaxRate } from './tax-rates.commands.ts';
import { listTaxRates, taxRateView } from './tax-rates.queries.ts';

export function taxRateOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.createTaxRate,
    handler: async ({ body }, reply) =>
      reply.code(201).send(taxRateView(await createTaxRate(db, body))),
  });

  app.route({
    ...operations.listTaxRates,
    handler: async ({ body }) => ({
      taxRates: (await listTaxRates(db, body.businessUnitId)).map(taxRateView),
    }),
  });

  app.route({
    ...operations.archiveTaxRate,
    handler: async ({ body }) => taxRateView(await archiveTaxRate(db, body)),
  });
}
