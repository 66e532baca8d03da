import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import { recordReader } from '@event-api/platform/db/record';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { taxRateOfRecord } from '../tax-rates/tax-rates.queries.ts';
import { Addon } from './addon.entity.ts';

/** The columns of an add-on without its units. */
export const storedColumns = columnsOf(Addon, 'a');

/** Registration counts the units of an add-on as it counts the seats of a ticket type. */
interface UnitCounts {
  sold: number;
  held: number;
}

export const addonColumns: Columns<RowOf<typeof storedColumns> & UnitCounts> = {
  sql: `${storedColumns.sql}, coalesce(s.confirmed, 0) as sold, coalesce(s.reserved, 0) as held`,
};
export type AddonRow = RowOf<typeof addonColumns>;

export const withUnits = 'catalog.addon a left join catalog.seat_count s on s.id = a.id';

/** Returns an add-on. Errors: 404. */
export const { read: readAddon } = recordReader<AddonRow>({
  name: 'addon_by_id',
  select: `select ${addonColumns.sql} from ${withUnits}`,
  alias: 'a',
});

/** The snapshots of add-ons that other services project. */
export const addonSource = defineSnapshotSource({
  type: addonSnapshot,
  entity: Addon,
  computed: {
    taxRate: taxRateOfRecord,
    perkIds: `array(select b.perk_id from catalog.perk_binding b
      where b.target_type = 'addon' and b.target_id = t.id order by b.perk_id)`,
  },
});
