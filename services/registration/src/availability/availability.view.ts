import type { Availability } from '@event-api/contracts/http/ticket-types';
import { remainingSeats } from '@event-api/rules/remaining-seats';
import type { z } from 'zod';
import type { AvailabilityRow } from './availability.queries.ts';

/** The seats of a ticket type. `remaining` is 0 while available seats go to the waitlist. */
export const availabilityView = (row: AvailabilityRow): z.input<typeof Availability> => ({
  capacity: row.capacity,
  confirmed: row.confirmed,
  waitlisted: row.waitlisted,
  held: row.reserved,
  remaining: remainingSeats(row, row),
});
