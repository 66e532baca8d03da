import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { StoredUnit } from './unit.entity.ts';

const columns = columnsOf(StoredUnit, 'u', { omit: ['businessUnitId'] });

/** A business unit as the gateway knows it. */
export type Unit = RowOf<typeof columns> & { id: string };

const findStatement = statement<Unit>(
  'known_unit_find',
  `select u.business_unit_id as id, ${columns.sql}
   from console.known_unit u where u.business_unit_id = $1`,
);

/** Returns a business unit as the gateway has last returned it, or null. */
export async function findStoredUnit(db: Db, id: string): Promise<Unit | null> {
  const [row] = await db.query(findStatement, [id]);
  return row ?? null;
}

const storeStatement = statement(
  'known_unit_store',
  `insert into console.known_unit (business_unit_id, name, default_currency) values ($1, $2, $3)
   on conflict (business_unit_id) do update
     set name = excluded.name, default_currency = excluded.default_currency`,
);

/** Stores what the gateway has returned. */
export const storeUnit = (db: Db, { id, name, defaultCurrency }: Unit) =>
  db.query(storeStatement, [id, name, defaultCurrency]);

const deleteStatement = statement(
  'known_unit_delete',
  'delete from console.known_unit u where u.business_unit_id = $1',
);

/** Deletes a business unit that the gateway does not have. */
export const deleteStoredUnit = (db: Db, id: string) => db.query(deleteStatement, [id]);
