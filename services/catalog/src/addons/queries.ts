import type { EventScope } from '@event-api/contracts/internal/scope';
import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import type { AddonRow } from './view.ts';

export const addonColumns = `a.id, a.event_id as "eventId", a.name, a.description, a.status, a.price_amount as "priceAmount",
  a.sort_order as "sortOrder", a.created_at as "createdAt"`;

const addonById = statement<AddonRow>(
  'addon_by_id',
  `select ${addonColumns} from catalog.addon a
   where a.business_unit_id = $1 and a.event_id = $2 and a.id = $3`,
);

/**
 * Returns an add-on. Errors: 404, identical for an event of another business unit, an add-on of another event and an
 * unknown id.
 */
export async function readAddon(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  addonId: string,
): Promise<AddonRow> {
  const [row] = await db.query(addonById, [businessUnitId, eventId, addonId]);
  if (!row) throw notFound();
  return row;
}

/** The snapshots of add-ons that other services project. */
export const addonSource = defineSnapshotSource({
  type: addonSnapshot,
  from: 'catalog.addon t',
  data: `jsonb_build_object('name', t.name, 'description', t.description, 'status', t.status,
    'priceAmount', t.price_amount, 'sortOrder', t.sort_order, 'perkIds', array(
    select b.perk_id from catalog.perk_binding b
    where b.target_type = 'addon' and b.target_id = t.id order by b.perk_id))`,
});
