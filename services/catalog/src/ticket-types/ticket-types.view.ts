import { TicketType as TicketTypeContract } from '@event-api/contracts/http/ticket-types';
import { viewOf } from '@event-api/platform/http/record-view';
import type { z } from 'zod';
import { type SeatCounts, storedColumns } from './ticket-types.queries.ts';

const storedView = viewOf(TicketTypeContract.omit({ counts: true }), storedColumns);

/** The response body of a ticket type. A new one has no counts. */
export const ticketTypeView = (
  row: Parameters<typeof storedView>[0] & Partial<SeatCounts>,
): z.input<typeof TicketTypeContract> => ({
  ...storedView(row),
  counts: { confirmed: row.confirmed ?? 0, waitlisted: row.waitlisted ?? 0 },
});
