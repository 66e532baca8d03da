import type { createUnit as createUnitOperation } from '@event-api/contracts/operator/units';
import type { Database } from '@event-api/platform/db/database';
import { newId } from '@event-api/platform/ids';
import type { z } from 'zod';
import { BusinessUnit } from './business-unit.entity.ts';

/** Makes a business unit, the whole scope of the keys that it will have. */
export async function createUnit(
  db: Database,
  input: z.output<typeof createUnitOperation.schema.body>,
): Promise<BusinessUnit> {
  return db.transaction(async ({ em }) => {
    const unit = em.create(BusinessUnit, { id: newId('unit'), ...input });
    await em.flush();
    return unit;
  });
}
