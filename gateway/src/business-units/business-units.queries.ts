import { notFound } from '@event-api/platform/core/errors';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { BusinessUnit } from './business-unit.entity.ts';

export const unitColumns = columnsOf(BusinessUnit, 'u');
type UnitRow = RowOf<typeof unitColumns>;

const allUnits = statement<UnitRow>(
  'all_units',
  `select ${unitColumns.sql} from gateway.business_unit u order by u.created_at, u.id`,
);

const unitById = statement<UnitRow>(
  'unit_by_id',
  `select ${unitColumns.sql} from gateway.business_unit u where u.id = $1`,
);

/** Reads a business unit. Errors: 404. */
export async function readUnit(db: Db, id: string): Promise<UnitRow> {
  const [row] = await db.query(unitById, [id]);
  if (!row) throw notFound('businessUnit');
  return row;
}

const namesById = statement<Pick<UnitRow, 'id' | 'name'>>(
  'unit_names',
  `select u.id, u.name from gateway.business_unit u where u.id = any($1::text[])`,
);

/** Returns the names of business units by id. */
export async function unitNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query(namesById, [ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns all business units, oldest first. */
export const listUnits = (db: Db): Promise<UnitRow[]> => db.query(allUnits);
