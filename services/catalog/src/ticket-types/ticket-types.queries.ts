import type { EventScope } from '@event-api/contracts/internal/scope';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { type Columns, columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import type { SharedCapacity } from '@event-api/rules/remaining-seats';
import {
  eventStatusSql,
  joinSeats,
  type SeatCounts,
  type StatusOfEvent,
  selectSeats,
  withGroups,
} from '../seat-counts/seat-counts.queries.ts';
import { taxRateOfRecord } from '../tax-rates/tax-rates.queries.ts';
import { TicketType } from './ticket-type.entity.ts';

/** The columns of a ticket type without its seats. */
export const storedColumns = columnsOf(TicketType, 't');

export const ticketTypeColumns: Columns<RowOf<typeof storedColumns> & SeatCounts & StatusOfEvent> =
  {
    sql: `${storedColumns.sql}, ${selectSeats}, ${eventStatusSql} as "eventStatus"`,
  };
export type StoredTicketType = RowOf<typeof ticketTypeColumns>;
export type TicketTypeRow = StoredTicketType & { group: SharedCapacity | null };

export const withSeats = `catalog.ticket_type t ${joinSeats}`;

const stored = recordReader<StoredTicketType>({
  name: 'ticket_type_by_id',
  select: `select ${ticketTypeColumns.sql} from ${withSeats}`,
  alias: 't',
});

/** Returns a ticket type. Errors: 404. */
export async function readTicketType(
  db: Db,
  scope: EventScope,
  id: string,
): Promise<TicketTypeRow> {
  const row = await stored.read(db, scope, id);
  return { ...row, group: null, ...(await withGroups(db, scope, [row]))[0] };
}

/** The snapshots of ticket types that other services project. */
export const ticketTypeSource = defineSnapshotSource({
  type: ticketTypeSnapshot,
  entity: TicketType,
  computed: {
    taxRate: taxRateOfRecord,
    perkIds: `array(select b.perk_id from catalog.perk_binding b
      where b.target_type = 'registration_type' and b.target_id = t.id order by b.perk_id)`,
  },
});
