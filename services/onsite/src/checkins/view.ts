import type { Checkin } from '@event-api/contracts/http/checkins';
import type { z } from 'zod';
import type { CheckinRow } from './queries.ts';

/** A check-in as the API shows it. */
export const checkinView = (row: CheckinRow): z.input<typeof Checkin> => ({
  ...row,
  checkedInAt: row.checkedInAt.toISOString(),
});
