import type {
  SaleStatus,
  TicketType as TicketTypeContract,
} from '@event-api/contracts/http/ticket-types';
import type { z } from 'zod';

/** A ticket type as the API returns it. */
export interface TicketTypeRow {
  id: string;
  eventId: string;
  name: string;
  description?: string | null;
  capacity?: number | null;
  allowWaitlist: boolean;
  isPublic: boolean;
  requiresApproval: boolean;
  status: SaleStatus;
  opensAt?: Date | null;
  closesAt?: Date | null;
  priceAmount: number;
  sortOrder: number;
  createdAt: Date;
  /** The projected seat counts; a new ticket type has none. */
  confirmed?: number;
  waitlisted?: number;
}

/** The response body of a ticket type. */
export function ticketTypeView(row: TicketTypeRow): z.input<typeof TicketTypeContract> {
  return {
    id: row.id,
    eventId: row.eventId,
    name: row.name,
    description: row.description ?? null,
    capacity: row.capacity ?? null,
    allowWaitlist: row.allowWaitlist,
    isPublic: row.isPublic,
    requiresApproval: row.requiresApproval,
    status: row.status,
    opensAt: row.opensAt?.toISOString() ?? null,
    closesAt: row.closesAt?.toISOString() ?? null,
    priceAmount: row.priceAmount,
    sortOrder: row.sortOrder,
    counts: { confirmed: row.confirmed ?? 0, waitlisted: row.waitlisted ?? 0 },
    createdAt: row.createdAt.toISOString(),
  };
}
