import type { EventStatus } from '@event-api/contracts/http/events';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

const liveTypes = statement<{ id: string }>(
  'live_ticket_types',
  `select id from registration.ticket_type_copy
   where business_unit_id = $1 and event_id = $2 and status <> 'archived' order by id limit 20`,
);

/** Ids of ticket types that the event has, as far as is known here; 20 at most. */
export async function typesOfEvent(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<string[]> {
  const rows = await db.query(liveTypes, [businessUnitId, eventId]);
  return rows.map(({ id }) => id);
}

const typeOf = statement<{ ticketTypeId: string | null }>(
  'ticket_type_of_registration',
  `select ticket_type_id as "ticketTypeId" from registration.registration
   where business_unit_id = $1 and event_id = $2 and id = $3`,
);

/** The ticket type of a registration, or null. */
export async function typeOfRegistration(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<string | null> {
  const [row] = await db.query(typeOf, [businessUnitId, eventId, registrationId]);
  return row?.ticketTypeId ?? null;
}

/** The statuses that decide whether codes can be created for a ticket type. */
export interface Sale {
  eventStatus: EventStatus;
  typeStatus: SaleStatus;
}

const saleOf = statement<Sale>(
  'ticket_type_sale',
  `select e.status as "eventStatus", t.status as "typeStatus" from registration.ticket_type_copy t
   join registration.event_copy e on e.id = t.event_id
   where t.business_unit_id = $1 and t.event_id = $2 and t.id = $3`,
);

/** The statuses of a ticket type and its event, or null for a type that the event does not have. */
export async function readSale(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  ticketTypeId: string,
): Promise<Sale | null> {
  const [row] = await db.query(saleOf, [businessUnitId, eventId, ticketTypeId]);
  return row ?? null;
}
