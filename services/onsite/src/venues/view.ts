import type { Venue } from '@event-api/contracts/http/program';
import type { z } from 'zod';
import type { VenueRow } from './queries.ts';

/** A room as the API shows it. */
export const venueView = (row: VenueRow): z.input<typeof Venue> => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
