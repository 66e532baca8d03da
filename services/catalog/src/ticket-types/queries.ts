import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { recordReader } from '@event-api/platform/db/record';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import type { TicketTypeRow } from './view.ts';

export const ticketTypeColumns = `t.id, t.event_id as "eventId", t.name, t.description, t.capacity,
  t.allow_waitlist as "allowWaitlist", t.is_public as "isPublic", t.requires_approval as "requiresApproval",
  t.status, t.opens_at as "opensAt", t.closes_at as "closesAt", t.price_amount as "priceAmount",
  t.sort_order as "sortOrder", t.created_at as "createdAt",
  coalesce(s.confirmed, 0) as confirmed, coalesce(s.waitlisted, 0) as waitlisted`;

export const withCounts = 'catalog.ticket_type t left join catalog.seat_count s on s.id = t.id';

/** Returns a ticket type. Errors: 404. */
export const { read: readTicketType } = recordReader<TicketTypeRow>({
  name: 'ticket_type_by_id',
  select: `select ${ticketTypeColumns} from ${withCounts}`,
  alias: 't',
});

/** The snapshots of ticket types that other services project. */
export const ticketTypeSource = defineSnapshotSource({
  type: ticketTypeSnapshot,
  from: 'catalog.ticket_type t',
  data: `jsonb_build_object('name', t.name, 'description', t.description, 'capacity', t.capacity,
    'allowWaitlist', t.allow_waitlist, 'isPublic', t.is_public, 'requiresApproval', t.requires_approval,
    'status', t.status, 'opensAt', t.opens_at, 'closesAt', t.closes_at, 'priceAmount', t.price_amount,
    'sortOrder', t.sort_order, 'createdAt', t.created_at, 'perkIds', array(
      select b.perk_id from catalog.perk_binding b
      where b.target_type = 'registration_type' and b.target_id = t.id order by b.perk_id))`,
});
