import type { Cell } from '@event-api/contracts/cells';
import type { createUnit as createUnitOperation } from '@event-api/contracts/operator/units';
import * as operations from '@event-api/contracts/operator/units';
import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { viewOf } from '@event-api/platform/http/record-view';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import { commandForOtherCell } from '../errors.ts';
import { BusinessUnit } from './business-unit.entity.ts';
import { listUnits, readUnit, unitColumns } from './business-units.queries.ts';

const storedView = viewOf(operations.BusinessUnit.omit({ cell: true }), unitColumns);

export function unitOperatorRoutes(
  app: HttpServer,
  { db, cell }: { db: Database; cell: Cell },
): void {
  const unitView = (unit: Parameters<typeof storedView>[0]) => ({ ...storedView(unit), cell });

  app.route({
    ...operations.createUnit,
    handler: async ({ body: { cell: wanted, ...values } }, reply) => {
      if (wanted !== undefined && wanted !== cell) throw commandForOtherCell(wanted, cell);
      return reply.code(201).send(unitView(await createUnit(db, values)));
    },
  });

  app.route({
    ...operations.getUnit,
    handler: async ({ body }) => unitView(await readUnit(db, body.businessUnitId)),
  });

  app.route({
    ...operations.listUnits,
    handler: async () => ({ units: (await listUnits(db)).map(unitView) }),
  });
}

/** Creates a business unit: the tenant to which API keys and all records belong. */
export async function createUnit(
  db: Database,
  input: Omit<z.output<typeof createUnitOperation.schema.body>, 'cell'>,
): Promise<BusinessUnit> {
  const id = newId('unit');
  return db.transaction(async (tx) => {
    const { em } = tx;
    const created = isRetry() && (await em.findOne(BusinessUnit, { id }));
    if (created) return created;
    const unit = em.create(BusinessUnit, { id, ...input });
    await em.flush();
    recordAudit(tx, { records: [id], businessUnitId: id });
    return unit;
  });
}
