import type { Exhibitor } from '@event-api/contracts/http/exhibitors';
import type { z } from 'zod';
import type { ExhibitorRow } from './queries.ts';

/** An exhibitor as the API shows it. */
export const exhibitorView = (row: ExhibitorRow): z.input<typeof Exhibitor> => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
