import { TaxRate as TaxRateContract } from '@event-api/contracts/operator/tax-rates';
import { notFound } from '@event-api/platform/core/errors';
import { columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { viewOf } from '@event-api/platform/http/record-view';
import { TaxRate } from './tax-rate.entity.ts';

const columns = columnsOf(TaxRate, 'r');

export type TaxRateRow = RowOf<typeof columns>;

/** The response body of a tax rate. */
export const taxRateView = viewOf(TaxRateContract, columns);

const applied = jsonOf(TaxRate, 'r', { only: ['id', 'name', 'percentage', 'mode'] });

/** The rate of the record `t` in its snapshot. A rate never changes, so neither does the snapshot. */
export const taxRateOfRecord = `(select ${applied.sql} from catalog.tax_rate r
  where r.id = t.tax_rate_id and r.business_unit_id = t.business_unit_id)`;

const ofUnit = statement<TaxRateRow>(
  'tax_rates_of_unit',
  `select ${columns.sql} from catalog.tax_rate r where r.business_unit_id = $1 order by r.created_at, r.id`,
);

/** The tax rates of a business unit, oldest first. */
export const listTaxRates = (db: Db, businessUnitId: string): Promise<TaxRateRow[]> =>
  db.query(ofUnit, [businessUnitId]);

const byId = statement<TaxRateRow>(
  'tax_rate_by_id',
  `select ${columns.sql} from catalog.tax_rate r where (r.business_unit_id = $1) is true and r.id = $2`,
);

/** Returns a tax rate of a business unit. Errors: 404. */
export async function readTaxRate(
  db: Db,
  { businessUnitId, taxRateId }: { businessUnitId: string; taxRateId: string },
): Promise<TaxRateRow> {
  const [row] = await db.query(byId, [businessUnitId, taxRateId]);
  if (!row) throw notFound('taxRate');
  return row;
}

const usable = statement<{ id: string }>(
  'tax_rate_usable',
  `select r.id from catalog.tax_rate r
   where (r.business_unit_id = $1) is true and r.id = $2 and (r.archived_at is null) is true for share`,
);

/** Whether a record may get this rate. Locks the rate, so that it is not archived meanwhile. */
export const isUsableTaxRate = async (
  tx: Tx,
  businessUnitId: string,
  id: string,
): Promise<boolean> => (await tx.query(usable, [businessUnitId, id])).length > 0;

const archive = statement<{ id: string }>(
  'tax_rate_archive',
  `update catalog.tax_rate set archived_at = clock_timestamp()
   where business_unit_id = $1 and id = $2 and archived_at is null returning id`,
);

/** Archives a tax rate. Returns false if it is archived, or no rate of the unit. */
export const writeArchived = async (tx: Tx, businessUnitId: string, id: string): Promise<boolean> =>
  (await tx.query(archive, [businessUnitId, id])).length > 0;
