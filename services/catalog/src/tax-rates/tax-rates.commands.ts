import type {
  archiveTaxRate as archiveTaxRateOperation,
  createTaxRate as createTaxRateOperation,
} from '@event-api/contracts/operator/tax-rates';
import { recordAudit } from '@event-api/platform/audit/write';
import { invalidArgument } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database, Tx } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { TaxRate } from './tax-rate.entity.ts';
import {
  isUsableTaxRate,
  readTaxRate,
  type TaxRateRow,
  writeArchived,
} from './tax-rates.queries.ts';

/** Creates a tax rate of a business unit. */
export async function createTaxRate(
  db: Database,
  input: z.output<typeof createTaxRateOperation.schema.body>,
): Promise<TaxRateRow> {
  const taxRateId = newId('tax');
  const { businessUnitId } = input;
  return db.transaction(async (tx) => {
    if (!isRetry() || (await tx.em.count(TaxRate, { id: taxRateId, businessUnitId })) === 0) {
      tx.em.create(TaxRate, { ...input, id: taxRateId });
      await tx.em.flush();
      recordAudit(tx, { records: [taxRateId] });
    }
    return readTaxRate(tx, { businessUnitId, taxRateId });
  });
}

/** Archives a tax rate; a second time without an effect. Errors: 404. Locks: the rate. */
export async function archiveTaxRate(
  db: Database,
  input: z.output<typeof archiveTaxRateOperation.schema.body>,
): Promise<TaxRateRow> {
  return db.transaction(async (tx) => {
    const isArchived = await writeArchived(tx, input.businessUnitId, input.taxRateId);
    const rate = await readTaxRate(tx, input);
    recordAudit(tx, { records: [rate.id], result: isArchived ? 'done' : 'unchanged' });
    return rate;
  });
}

/**
 * Checks a tax rate that a record is to get. Errors: 400 for one that is archived or not of the
 * unit. Locks: the rate, shared.
 */
export async function requireTaxRate(
  tx: Tx,
  businessUnitId: string,
  taxRateId: string | null | undefined,
): Promise<void> {
  if (taxRateId === null || taxRateId === undefined) return;
  const isUsable = await isUsableTaxRate(tx, businessUnitId, taxRateId);
  reachStep('tax-rate.checked');
  if (isUsable) return;
  const issue = 'is not a tax rate of this business unit, or is archived';
  throw invalidArgument([{ field: 'taxRateId', issue, code: 'not_found' }]);
}
