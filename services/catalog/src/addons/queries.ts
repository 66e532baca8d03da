import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { recordReader } from '@event-api/platform/db/record';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import type { AddonRow } from './view.ts';

export const addonColumns = `a.id, a.event_id as "eventId", a.name, a.description, a.status, a.price_amount as "priceAmount",
  a.sort_order as "sortOrder", a.created_at as "createdAt"`;

/** Returns an add-on. Errors: 404. */
export const { read: readAddon } = recordReader<AddonRow>({
  name: 'addon_by_id',
  select: `select ${addonColumns} from catalog.addon a`,
  alias: 'a',
});

/** The snapshots of add-ons that other services project. */
export const addonSource = defineSnapshotSource({
  type: addonSnapshot,
  from: 'catalog.addon t',
  data: `jsonb_build_object('name', t.name, 'description', t.description, 'status', t.status,
    'priceAmount', t.price_amount, 'sortOrder', t.sort_order, 'perkIds', array(
    select b.perk_id from catalog.perk_binding b
    where b.target_type = 'addon' and b.target_id = t.id order by b.perk_id))`,
});
