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

/** Every business unit, oldest first. */
export const listUnits = (db: Db): Promise<UnitRow[]> => db.query(allUnits);
