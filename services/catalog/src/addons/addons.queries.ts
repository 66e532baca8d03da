import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import { recordReader } from '@event-api/platform/db/record';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { Addon } from './addon.entity.ts';

export const addonColumns = columnsOf(Addon, 'a');
export type AddonRow = RowOf<typeof addonColumns>;

/** Returns an add-on. Errors: 404. */
export const { read: readAddon } = recordReader<AddonRow>({
  name: 'addon_by_id',
  select: `select ${addonColumns.sql} from catalog.addon a`,
  alias: 'a',
});

/** The snapshots of add-ons that other services project. */
export const addonSource = defineSnapshotSource({
  type: addonSnapshot,
  entity: Addon,
  computed: {
    perkIds: `array(select b.perk_id from catalog.perk_binding b
      where b.target_type = 'addon' and b.target_id = t.id order by b.perk_id)`,
  },
});
