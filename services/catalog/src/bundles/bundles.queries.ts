import type { EventScope } from '@event-api/contracts/internal/scope';
import { bundleSnapshot } from '@event-api/contracts/messages/catalog';
import { type Columns, columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import {
  eventStatusSql,
  joinSeats,
  selectSeats,
  withGroups,
} from '../seat-counts/seat-counts.queries.ts';
import { taxRateOfRecord } from '../tax-rates/tax-rates.queries.ts';
import { Bundle, BundleItem } from './bundle.entity.ts';
import type { BundleContents, BundlePart, SoldItem } from './bundles.rules.ts';

const columns = columnsOf(Bundle, 'b');

const item = jsonOf(BundleItem, 'i', { only: ['itemType', 'itemId', 'quantity'] });

/** The items of a bundle in their order. `id` is the expression of its id. */
const itemsSql = (id: string) => `coalesce((
  select jsonb_agg(${item.sql} order by i.position)
  from catalog.bundle_item i where i.bundle_id = ${id}), '[]')`;

export const bundleColumns: Columns<RowOf<typeof columns> & { items: BundleContents }> = {
  sql: `${columns.sql}, ${itemsSql('b.id')} as items`,
};
type StoredBundle = RowOf<typeof bundleColumns>;

/** A bundle with what it sells. */
export type BundleRow = StoredBundle & { parts: BundlePart[] };

/** Returns a bundle. Errors: 404. */
export async function readBundle(db: Db, scope: EventScope, id: string): Promise<BundleRow> {
  const bundle = await stored.read(db, scope, id);
  return withParts(bundle, await findSoldItems(db, scope, [bundle]));
}

const stored = recordReader<StoredBundle>({
  name: 'bundle_by_id',
  select: `select ${bundleColumns.sql} from catalog.bundle b`,
  alias: 'b',
});

// An add-on has no waitlist.
const soldItems = statement<SoldItem & { id: string; capacityGroupId: string | null }>(
  'bundle_sold_items',
  `select i.*, ${eventStatusSql} as "eventStatus" from (
     select t.id, t.price_amount as "priceAmount", t.status, t.capacity, t.capacity_group_id as "capacityGroupId", ${selectSeats}
     from catalog.ticket_type t ${joinSeats}
     where (t.business_unit_id = $1) is true and (t.event_id = $2) is true and t.id = any($3)
     union all
     select a.id, a.price_amount, a.status, a.capacity, null, coalesce(s.confirmed, 0), 0, 0, coalesce(s.reserved, 0), false
     from catalog.addon a left join catalog.seat_count s on s.id = a.id
     where (a.business_unit_id = $1) is true and (a.event_id = $2) is true and a.id = any($3)
   ) i`,
);

/** Returns what these bundles of an event sell, by id. */
export async function findSoldItems(
  db: Db,
  scope: EventScope,
  bundles: readonly StoredBundle[],
): Promise<ReadonlyMap<string, SoldItem>> {
  const ids = new Set(bundles.flatMap(({ items }) => items.map(({ itemId }) => itemId)));
  if (ids.size === 0) return new Map();
  const { businessUnitId, eventId } = scope;
  const rows = await db.query(soldItems, [businessUnitId, eventId, [...ids]]);
  return new Map((await withGroups(db, scope, rows)).map((row) => [row.id, row]));
}

export const withParts = (
  bundle: StoredBundle,
  sold: ReadonlyMap<string, SoldItem>,
): BundleRow => ({
  ...bundle,
  parts: bundle.items.flatMap(({ itemId, quantity }) => {
    const item = sold.get(itemId);
    return item ? [{ quantity, item }] : [];
  }),
});

const existingItems = statement<{ itemType: 'registration_type' | 'addon'; id: string }>(
  'known_bundle_items',
  `select 'registration_type' as "itemType", id from catalog.ticket_type
     where business_unit_id = $1 and event_id = $2 and id = any($3)
   union all
   select 'addon', id from catalog.addon
     where business_unit_id = $1 and event_id = $2 and id = any($3)`,
);

/** Returns which of these items are ticket types and which are add-ons of the event. */
export async function findExistingItems(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  items: BundleContents,
): Promise<{ registration_type: Set<string>; addon: Set<string> }> {
  const existing = { registration_type: new Set<string>(), addon: new Set<string>() };
  const ids = items.map(({ itemId }) => itemId);
  for (const { itemType, id } of await db.query(existingItems, [businessUnitId, eventId, ids])) {
    existing[itemType].add(id);
  }
  return existing;
}

/** The snapshots of bundles that other services project. */
export const bundleSource = defineSnapshotSource({
  type: bundleSnapshot,
  entity: Bundle,
  computed: {
    taxRate: taxRateOfRecord,
    items: itemsSql('t.id'),
  },
});

const bump = statement<{ version: number }>(
  'bundle_bump',
  `update catalog.bundle set version = ${nextVersionSql}
   where business_unit_id = $1 and event_id = $2 and id = $3 returning version`,
);

/**
 * Increments the version of a bundle whose items have changed, emits it and returns the version. Its row must be locked
 * by `tx`.
 */
export async function bumpBundleVersion(
  tx: Tx,
  { businessUnitId, eventId, id }: EventScope & { id: string },
): Promise<number> {
  const [row] = await tx.query(bump, [businessUnitId, eventId, id]);
  if (!row) throw new Error('bundle not found');
  await bundleSource.emit(tx, [id]);
  return row.version;
}
