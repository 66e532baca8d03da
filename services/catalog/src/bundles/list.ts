import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type ListDefinition, listStatement, oldestChangeFirst } from '@event-api/platform/db/list';
import { inSortOrder, type SalePage } from '../lists/sort-key.ts';
import { type BundleRow, bundleColumns } from './bundles.queries.ts';

type Filter = never;

const list: ListDefinition<BundleRow, Filter> = {
  name: 'bundles',
  select: `select ${bundleColumns.sql} from catalog.bundle b`,
  scope: ['b.business_unit_id = $1', 'b.event_id = $2'],
  filters: {},
};

const orders = {
  own: inSortOrder<Filter>('b', []),
  changes: oldestChangeFirst<Filter>('b'),
};

/** Returns up to `limit` + 1 bundles of an event that match every filter. */
export const listBundles = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  order: keyof typeof orders,
  page: SalePage,
): Promise<BundleRow[]> =>
  db.query(...listStatement(list, orders[order], { scope: [businessUnitId, eventId], ...page }));
