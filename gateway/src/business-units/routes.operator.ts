import * as operations from '@event-api/contracts/operator/units';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { createUnit } from './create.ts';
import { listUnits, type UnitRow } from './queries.ts';

const unitView = ({ id, name, defaultCurrency, createdAt }: UnitRow) => ({
  id,
  name,
  defaultCurrency,
  createdAt: createdAt.toISOString(),
});

export function unitOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.createUnit,
    handler: async ({ body }, reply) => reply.code(201).send(unitView(await createUnit(db, body))),
  });

  app.route({
    ...operations.listUnits,
    handler: async () => ({ units: (await listUnits(db)).map(unitView) }),
  });
}
