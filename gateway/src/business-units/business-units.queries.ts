import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

export interface UnitRow {
  id: string;
  name: string;
  defaultCurrency: string;
  createdAt: Date;
}

const allUnits = statement<UnitRow>(
  'all_units',
  `select id, name, default_currency as "defaultCurrency", created_at as "createdAt"
   from gateway.business_unit order by created_at, id`,
);

const unitById = statement<UnitRow>(
  'unit_by_id',
  `select id, name, default_currency as "defaultCurrency", created_at as "createdAt"
   from gateway.business_unit where id = $1`,
);

/** Reads a business unit. Errors: 404. */
export async function readUnit(db: Db, id: string): Promise<UnitRow> {
  const [row] = await db.query(unitById, [id]);
  if (!row) throw notFound('businessUnit');
  return row;
}

/** Returns all business units, oldest first. */
export const listUnits = (db: Db): Promise<UnitRow[]> => db.query(allUnits);
