import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type ListDefinition, listStatement, oldestChangeFirst } from '@event-api/platform/db/list';
import { inSortOrder, type SalePage } from '../lists/sort-key.ts';
import { type AddonRow, addonColumns, withUnits } from './addons.queries.ts';

type Filter = 'status';

const list: ListDefinition<AddonRow, Filter> = {
  name: 'addons',
  select: `select ${addonColumns.sql} from ${withUnits}`,
  scope: ['a.business_unit_id = $1', 'a.event_id = $2'],
  filters: { status: (status) => `a.status = ${status}` },
};

const orders = {
  // Uses the index `addon_by_status`.
  own: inSortOrder<Filter>('a', [{ filters: ['status'] }]),
  changes: oldestChangeFirst<Filter>('a'),
};

/** Returns up to `limit` + 1 add-ons of an event that match every filter. */
export const listAddons = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: SalePage,
): Promise<AddonRow[]> =>
  db.query(...listStatement(list, orders[order], { scope: [businessUnitId, eventId], ...page }));
