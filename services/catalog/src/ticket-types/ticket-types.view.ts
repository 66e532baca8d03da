import { TicketType as TicketTypeContract } from '@event-api/contracts/http/ticket-types';
import { viewOf } from '@event-api/platform/http/record-view';
import { remainingSeats } from '@event-api/rules/remaining-seats';
import type { z } from 'zod';
import { storedColumns, type TicketTypeRow } from './ticket-types.queries.ts';

const storedView = viewOf(
  TicketTypeContract.omit({ counts: true, availability: true }),
  storedColumns,
);

/** The response body of a ticket type. */
export const ticketTypeView = (row: TicketTypeRow): z.input<typeof TicketTypeContract> => ({
  ...storedView(row),
  counts: { confirmed: row.confirmed, waitlisted: row.waitlisted },
  availability: {
    capacity: row.capacity,
    confirmed: row.confirmed,
    waitlisted: row.waitlisted,
    held: row.reserved,
    remaining: remainingSeats(row, row),
  },
});
