import type { ExhibitorStatus } from '@event-api/contracts/http/exhibitors';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { newestOfEvent } from '@event-api/platform/db/list';
import { recordReader } from '@event-api/platform/db/record';
import { statement } from '@event-api/platform/db/statement';

/** An exhibitor as the API returns it. Members and booths are in the order in which they were added. */
export interface ExhibitorRow {
  id: string;
  eventId: string;
  name: string;
  description: string | null;
  website: string | null;
  status: ExhibitorStatus;
  members: { registrationId: string; role: string }[];
  booths: { id: string; number: string; type: string; venueId: string | null }[];
  createdAt: Date;
}

const columns = `x.id, x.event_id as "eventId", x.name, x.description, x.website, x.status,
  coalesce((select json_agg(json_build_object('registrationId', m.registration_id, 'role', m.role) order by m.insertion_order)
    from onsite.exhibitor_member m where m.exhibitor_id = x.id), '[]') as members,
  coalesce((select json_agg(json_build_object('id', b.id, 'number', b.number, 'type', b.type, 'venueId', b.venue_id)
      order by b.insertion_order)
    from onsite.booth b where b.exhibitor_id = x.id), '[]') as booths,
  x.created_at as "createdAt"`;

const select = `select ${columns} from onsite.exhibitor x`;

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
  `select ${columns} from onsite.exhibitor_member r join onsite.exhibitor x on x.id = r.exhibitor_id
   where (x.business_unit_id = $1) is true and (x.event_id = $2) is true and r.registration_id = $3`,
);

/** Returns the exhibitor that a registration staffs: one or none. */
export const findExhibitorOfMember = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<ExhibitorRow[]> =>
  db.query(exhibitorOfMember, [businessUnitId, eventId, registrationId]);
