import * as operations from '@event-api/contracts/operator/units';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { newId } from '@event-api/platform/ids';
import { BusinessUnit } from './business-unit.entity.ts';

const unitView = ({ id, name, defaultCurrency, createdAt }: BusinessUnit) => ({
  id,
  name,
  defaultCurrency,
  createdAt: createdAt.toISOString(),
});

export function unitOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.createUnit,
    handler: async ({ body }, reply) => {
      const unit = await db.transaction(async ({ em }) => {
        const made = em.create(BusinessUnit, { id: newId('unit'), ...body });
        await em.flush();
        return made;
      });
      return reply.code(201).send(unitView(unit));
    },
  });

  app.route({
    ...operations.listUnits,
    handler: async () => {
      const units = await db.transaction(({ em }) =>
        em.find(BusinessUnit, {}, { orderBy: { createdAt: 'asc', id: 'asc' } }),
      );
      return { units: units.map(unitView) };
    },
  });
}
