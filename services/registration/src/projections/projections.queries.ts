import type { EventStatus } from '@event-api/contracts/http/events';
import type { FormQuestion } from '@event-api/contracts/http/forms';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

const liveTypes = statement<{ id: string }>(
  'live_ticket_types',
  `select id from registration.ticket_type_projection
   where business_unit_id = $1 and event_id = $2 and status <> 'archived' order by id limit 20`,
);

/** Returns the ids of up to 20 ticket types of the event that are not archived. */
export async function typesOfEvent(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<string[]> {
  const rows = await db.query(liveTypes, [businessUnitId, eventId]);
  return rows.map(({ id }) => id);
}

const formOfEvent = statement<{ form: FormQuestion[] | null }>(
  'registration_event_form',
  'select form from registration.event_projection where business_unit_id = $1 and id = $2',
);

/** Returns the projected questions of an event, or null. */
export async function readForm(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<FormQuestion[] | null> {
  const [row] = await db.query(formOfEvent, [businessUnitId, eventId]);
  return row?.form ?? null;
}

/** The statuses that decide whether codes can be created for a ticket type. */
export interface Sale {
  eventStatus: EventStatus;
  typeStatus: SaleStatus;
}

const saleOf = statement<Sale>(
  'ticket_type_sale',
  `select e.status as "eventStatus", t.status as "typeStatus" from registration.ticket_type_projection t
   join registration.event_projection e on e.id = t.event_id
   where (t.business_unit_id = $1) is true and (t.event_id = $2) is true and t.id = $3`,
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
