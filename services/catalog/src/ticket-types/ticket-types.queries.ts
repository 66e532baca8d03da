import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import { recordReader } from '@event-api/platform/db/record';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { TicketType } from './ticket-type.entity.ts';

/** The columns of a ticket type without its seat counts. */
export const storedColumns = columnsOf(TicketType, 't');

/** The projected seat counts. */
export interface SeatCounts {
  confirmed: number;
  waitlisted: number;
}

export const ticketTypeColumns: Columns<RowOf<typeof storedColumns> & SeatCounts> = {
  sql: `${storedColumns.sql}, coalesce(s.confirmed, 0) as confirmed, coalesce(s.waitlisted, 0) as waitlisted`,
};
export type TicketTypeRow = RowOf<typeof ticketTypeColumns>;

export const withCounts = 'catalog.ticket_type t left join catalog.seat_count s on s.id = t.id';

/** Returns a ticket type. Errors: 404. */
export const { read: readTicketType } = recordReader<TicketTypeRow>({
  name: 'ticket_type_by_id',
  select: `select ${ticketTypeColumns.sql} from ${withCounts}`,
  alias: 't',
});

/** The snapshots of ticket types that other services project. */
export const ticketTypeSource = defineSnapshotSource({
  type: ticketTypeSnapshot,
  entity: TicketType,
  computed: {
    perkIds: `array(select b.perk_id from catalog.perk_binding b
      where b.target_type = 'registration_type' and b.target_id = t.id order by b.perk_id)`,
  },
});
