import type { Exhibitor } from '@event-api/contracts/http/exhibitors';
import type { z } from 'zod';
import type { ExhibitorRow } from './queries.ts';

/** The response body of an exhibitor. */
export const exhibitorView = (row: ExhibitorRow): z.input<typeof Exhibitor> => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
