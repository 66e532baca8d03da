import type { EventScope } from '@event-api/contracts/internal/scope';
import { bundleSnapshot } from '@event-api/contracts/messages/catalog';
import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import {
  eventStatusSql,
  joinSeats,
  type StatusOfEvent,
  seatCounts,
} from '../seat-counts/seat-counts.queries.ts';
import { Bundle } from './bundle.entity.ts';
import type { BundleContents, BundlePart } from './bundles.rules.ts';

const columns = columnsOf(Bundle, 'b');

/** The items of a bundle in their order. `id` is the expression of its id. */
const itemsSql = (id: string) => `coalesce((
  select jsonb_agg(jsonb_build_object('itemType', i.item_type, 'itemId', i.item_id, 'quantity', i.quantity)
    order by i.position)
  from catalog.bundle_item i where i.bundle_id = ${id}), '[]')`;

const seats = Object.entries({
  status: 't.status',
  capacity: 't.capacity',
  priceAmount: 't.price_amount',
  ...seatCounts,
} satisfies Record<keyof BundlePart['seats'], string>);

/** The ticket types of a bundle with their seats. */
const partsSql = `coalesce((
  select jsonb_agg(jsonb_build_object('quantity', i.quantity,
    'seats', jsonb_build_object(${seats.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})))
  from catalog.bundle_item i join catalog.ticket_type t on t.id = i.item_id ${joinSeats}
  where i.bundle_id = b.id and i.item_type = 'registration_type'), '[]')`;

export const storedColumns: Columns<RowOf<typeof columns> & { items: BundleContents }> = {
  sql: `${columns.sql}, ${itemsSql('b.id')} as items`,
};

export const bundleColumns: Columns<
  RowOf<typeof storedColumns> & StatusOfEvent & { parts: BundlePart[] }
> = {
  sql: `${storedColumns.sql}, ${partsSql} as parts, ${eventStatusSql} as "eventStatus"`,
};
export type BundleRow = RowOf<typeof bundleColumns>;

/** Returns a bundle. Errors: 404. */
export const { read: readBundle } = recordReader<BundleRow>({
  name: 'bundle_by_id',
  select: `select ${bundleColumns.sql} from catalog.bundle b`,
  alias: 'b',
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
  computed: { items: itemsSql('t.id') },
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
