import type { EventScope } from '@event-api/contracts/internal/scope';
import { type Columns, columnsOf, jsonOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { newestOfEvent } from '@event-api/platform/db/list';
import { recordReader } from '@event-api/platform/db/record';
import { statement } from '@event-api/platform/db/statement';
import { Booth, Exhibitor, ExhibitorMember } from './exhibitor.entity.ts';

const columns = columnsOf(Exhibitor, 'x', { omit: ['businessUnitId', 'insertionOrder'] });

const member = jsonOf(ExhibitorMember, 'm', { only: ['registrationId', 'role'] });
const booth = jsonOf(Booth, 'b', { only: ['id', 'number', 'type', 'venueId'] });

/** Members and booths are in the order in which they were added. */
interface Parts {
  members: RowOf<typeof member>[];
  booths: RowOf<typeof booth>[];
}

export const exhibitorColumns: Columns<RowOf<typeof columns> & Parts> = {
  sql: `${columns.sql}, coalesce((
      select json_agg(${member.sql} order by m.insertion_order)
      from onsite.exhibitor_member m where m.exhibitor_id = x.id), '[]') as members,
    coalesce((
      select json_agg(${booth.sql} order by b.insertion_order)
      from onsite.booth b where b.exhibitor_id = x.id), '[]') as booths`,
};
export type ExhibitorRow = RowOf<typeof exhibitorColumns>;

const select = `select ${exhibitorColumns.sql} from onsite.exhibitor x`;

/** Reads one exhibitor. */
export const { find: findExhibitor, read: readExhibitor } = recordReader<ExhibitorRow>({
  name: 'exhibitor_by_id',
  select,
  alias: 'x',
  kind: 'exhibitor',
});

/** Lists the exhibitors of an event. Uses the index `exhibitor_newest_first`. */
export const listNewestExhibitors = newestOfEvent<ExhibitorRow>({
  name: 'exhibitors',
  select,
  table: 'onsite.exhibitor',
  alias: 'x',
});

const exhibitorOfMember = statement<ExhibitorRow>(
  'exhibitor_of_member',
  `select ${exhibitorColumns.sql} from onsite.exhibitor_member r join onsite.exhibitor x on x.id = r.exhibitor_id
   where (x.business_unit_id = $1) is true and (x.event_id = $2) is true and r.registration_id = $3`,
);

/** Returns the exhibitor that a registration staffs: one or none. */
export const findExhibitorOfMember = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<ExhibitorRow[]> =>
  db.query(exhibitorOfMember, [businessUnitId, eventId, registrationId]);
