import type { Availability } from '@event-api/contracts/http/availability';
import type { z } from 'zod';
import type { AvailabilityRow } from './queries.ts';

/** What is left of a ticket type. Free seats are promised to those who wait, as long as they can move up. */
export function availabilityView(row: AvailabilityRow): z.input<typeof Availability> {
  const { capacity, confirmed, waitlisted, held, canMoveUp } = row;
  const free = capacity === null ? null : Math.max(0, capacity - confirmed - held);
  return {
    capacity,
    confirmed,
    waitlisted,
    held,
    remaining: free !== null && canMoveUp ? 0 : free,
  };
}
