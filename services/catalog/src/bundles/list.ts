import type { EventScope } from '@event-api/contracts/internal/scope';
import type { RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { type ListDefinition, listStatement, oldestChangeFirst } from '@event-api/platform/db/list';
import { inSortOrder, type SalePage } from '../lists/sort-key.ts';
import { type BundleRow, bundleColumns, findSoldItems, withParts } from './bundles.queries.ts';

type Filter = 'status';

const list: ListDefinition<RowOf<typeof bundleColumns>, Filter> = {
  name: 'bundles',
  select: `select ${bundleColumns.sql} from catalog.bundle b`,
  scope: ['b.business_unit_id = $1', 'b.event_id = $2'],
  filters: { status: (status) => `b.status = ${status}` },
};

const orders = {
  own: inSortOrder<Filter>('b', []),
  changes: oldestChangeFirst<Filter>('b'),
};

/** Returns up to `limit` + 1 bundles of an event that match every filter. */
export async function listBundles(
  db: Db,
  scope: EventScope,
  order: keyof typeof orders,
  page: SalePage,
): Promise<BundleRow[]> {
  const { businessUnitId, eventId } = scope;
  const values = { scope: [businessUnitId, eventId], ...page };
  const bundles = await db.query(...listStatement(list, orders[order], values));
  const sold = await findSoldItems(db, scope, bundles);
  return bundles.map((bundle) => withParts(bundle, sold));
}
