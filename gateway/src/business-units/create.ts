import type { createUnit as createUnitOperation } from '@event-api/contracts/operator/units';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { BusinessUnit } from './business-unit.entity.ts';

/** Makes a business unit, the whole scope of the keys that it will have. */
export async function createUnit(
  db: Database,
  input: z.output<typeof createUnitOperation.schema.body>,
): Promise<BusinessUnit> {
  const id = newId('unit');
  return db.transaction(async ({ em }) => {
    const created = isRetry() && (await em.findOne(BusinessUnit, { id }));
    if (created) return created;
    const unit = em.create(BusinessUnit, { id, ...input });
    await em.flush();
    return unit;
  });
}
