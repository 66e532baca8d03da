import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { notFound } from '@event-api/platform/errors';
import { defineSource } from '@event-api/platform/projections/source';
import type { OrderKey } from '../lists/order-key.ts';
import type { AddonRow } from './view.ts';

const columns = `id, event_id as "eventId", name, description, status, price_amount as "priceAmount",
  sort_order as "sortOrder", created_at as "createdAt"`;

const addonById = statement<AddonRow>(
  'addon_by_id',
  `select ${columns} from catalog.addon where business_unit_id = $1 and event_id = $2 and id = $3`,
);

/** One add-on. Errors: 404, alike for a foreign event, another event's add-on and a nonexistent id. */
export async function readAddon(
  db: Db,
  businessUnitId: string,
  eventId: string,
  addonId: string,
): Promise<AddonRow> {
  const [row] = await db.query(addonById, [businessUnitId, eventId, addonId]);
  if (!row) throw notFound();
  return row;
}

// By sortOrder, then oldest; the id decides between add-ons of one millisecond. Served by `addon_in_order`.
const addonsInOrder = statement<AddonRow>(
  'addons_in_order',
  `select ${columns} from catalog.addon
   where business_unit_id = $1 and event_id = $2
     and ($3::int is null or (sort_order, created_at, id) > ($3, $4::timestamptz, $5))
   order by sort_order, created_at, id limit $6`,
);

/** Up to `limit` + 1 add-ons of an event, after the one with the given key. */
export async function listAddonsInOrder(
  db: Db,
  businessUnitId: string,
  eventId: string,
  after: OrderKey | null,
  limit: number,
): Promise<AddonRow[]> {
  return db.query(addonsInOrder, [
    businessUnitId,
    eventId,
    ...(after ?? [null, null, '']),
    limit + 1,
  ]);
}

/** What other services are told of an add-on. */
export const publishedAddons = defineSource({
  type: addonSnapshot,
  from: 'catalog.addon t',
  data: `jsonb_build_object('name', t.name, 'description', t.description, 'status', t.status,
    'priceAmount', t.price_amount, 'sortOrder', t.sort_order, 'perkIds', array(
    select b.perk_id from catalog.perk_binding b
    where b.target_type = 'addon' and b.target_id = t.id order by b.perk_id))`,
});
