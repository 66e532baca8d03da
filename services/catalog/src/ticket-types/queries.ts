import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { notFound } from '@event-api/platform/errors';
import type { OrderKey } from '../lists/order-key.ts';
import type { TicketTypeRow } from './view.ts';

const columns = `id, event_id as "eventId", name, description, capacity, allow_waitlist as "allowWaitlist",
  is_public as "isPublic", requires_approval as "requiresApproval", status, opens_at as "opensAt",
  closes_at as "closesAt", price_amount as "priceAmount", sort_order as "sortOrder", created_at as "createdAt"`;

const ticketTypeById = statement<TicketTypeRow>(
  'ticket_type_by_id',
  `select ${columns} from catalog.ticket_type where business_unit_id = $1 and event_id = $2 and id = $3`,
);

/** One ticket type. Errors: 404, alike for a foreign event, another event's type and a nonexistent id. */
export async function readTicketType(
  db: Db,
  businessUnitId: string,
  eventId: string,
  typeId: string,
): Promise<TicketTypeRow> {
  const [row] = await db.query(ticketTypeById, [businessUnitId, eventId, typeId]);
  if (!row) throw notFound();
  return row;
}

// By sortOrder, then oldest; the id decides between types of one millisecond. Served by `ticket_type_in_order`.
const ticketTypesInOrder = statement<TicketTypeRow>(
  'ticket_types_in_order',
  `select ${columns} from catalog.ticket_type
   where business_unit_id = $1 and event_id = $2
     and ($3::int is null or (sort_order, created_at, id) > ($3, $4::timestamptz, $5))
   order by sort_order, created_at, id limit $6`,
);

/** Up to `limit` + 1 ticket types of an event, after the one with the given key. */
export async function listTicketTypesInOrder(
  db: Db,
  businessUnitId: string,
  eventId: string,
  after: OrderKey | null,
  limit: number,
): Promise<TicketTypeRow[]> {
  const key = after ?? [null, null, ''];
  return db.query(ticketTypesInOrder, [businessUnitId, eventId, ...key, limit + 1]);
}
